// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "types.h"

namespace btfcheck {

namespace {

bool same_name(Type program, Type kernel) {
  const std::string_view name = essential(program.name());
  return name.empty() || kernel.name().empty() || name == essential(kernel.name());
}

bool is_structure(Type type) { return btf_is_composite(type.get()) || btf_is_fwd(type.get()); }

bool same_integer(Type program, Type kernel) {
  const bool sign = btf_int_encoding(program.get()) & BTF_INT_SIGNED;
  const bool kernel_sign = btf_int_encoding(kernel.get()) & BTF_INT_SIGNED;
  return program->size == kernel->size && (sign == kernel_sign || program->size == 1);
}

bool same_array(Type program, Type kernel) {
  const struct btf_array *ours = btf_array(program.get()), *theirs = btf_array(kernel.get());
  return (ours->nelems <= theirs->nelems || theirs->nelems == 0) &&
         same_value(program.other(ours->type), kernel.other(theirs->type));
}

// Void stands for any type: who declares it does not look.
bool same_target(Type program, Type kernel) {
  program = plain(program), kernel = plain(kernel);
  if (program.id == 0 || kernel.id == 0) return true;
  if (is_structure(program) && is_structure(kernel)) return same_name(program, kernel);
  return same_value(program, kernel);
}

}  // namespace

std::string_view Type::text(uint32_t offset) const {
  const char *name = btf__name_by_offset(in, offset);
  return name ? name : "";
}

std::string_view essential(std::string_view name) {
  for (size_t at = name.size(); at-- > 1;) {
    const bool flavour =
        name.substr(at, 3) == "___" && name[at - 1] != '_' && at + 3 < name.size() && name[at + 3] != '_';
    if (flavour) return name.substr(0, at);
  }
  return name;
}

Type plain(Type type) {
  while (btf_is_mod(type.get()) || btf_is_typedef(type.get())) type.id = type->type;
  return type;
}

std::string keyword(Type type) {
  switch (btf_kind(type.get())) {
    case BTF_KIND_STRUCT:
      return "struct ";
    case BTF_KIND_UNION:
      return "union ";
    case BTF_KIND_FWD:
      return btf_kflag(type.get()) ? "union " : "struct ";
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
      return "enum ";
    default:
      return "";
  }
}

std::string describe(Type type) {
  type = plain(type);
  if (type.id == 0) return "void";
  switch (btf_kind(type.get())) {
    case BTF_KIND_PTR:
      return describe(type.other(type->type)) + " *";
    case BTF_KIND_ARRAY:
      return describe(type.other(btf_array(type.get())->type)) + "[" + std::to_string(btf_array(type.get())->nelems) +
             "]";
    case BTF_KIND_FUNC_PROTO:
      return "function";
    case BTF_KIND_INT:
      return std::string(type.name());
    default:
      return keyword(type) + std::string(type.name().empty() ? "{...}" : essential(type.name()));
  }
}

bool same_kind(Type program, Type kernel) {
  program = plain(program), kernel = plain(kernel);
  if (btf_is_composite(program.get()) && btf_is_composite(kernel.get())) return true;
  if (btf_is_any_enum(program.get()) && btf_is_any_enum(kernel.get())) return same_name(program, kernel);
  if (btf_kind(program.get()) != btf_kind(kernel.get())) return false;
  switch (btf_kind(program.get())) {
    case BTF_KIND_INT:
    case BTF_KIND_PTR:
    case BTF_KIND_FLOAT:
      return true;
    case BTF_KIND_FWD:
      return same_name(program, kernel);
    case BTF_KIND_ARRAY:
      return same_kind(program.other(btf_array(program.get())->type), kernel.other(btf_array(kernel.get())->type));
    default:
      return false;
  }
}

bool same_value(Type program, Type kernel) {
  program = plain(program), kernel = plain(kernel);
  if (is_structure(program) && is_structure(kernel)) return same_name(program, kernel);
  if (btf_is_any_enum(program.get()) && btf_is_any_enum(kernel.get()))
    return program->size == kernel->size && same_name(program, kernel);
  if (btf_kind(program.get()) != btf_kind(kernel.get())) return false;
  switch (btf_kind(program.get())) {
    case BTF_KIND_INT:
      return same_integer(program, kernel);
    case BTF_KIND_FLOAT:
      return program->size == kernel->size;
    case BTF_KIND_PTR:
      return same_target(program.other(program->type), kernel.other(kernel->type));
    case BTF_KIND_ARRAY:
      return same_array(program, kernel);
    default:
      return btf_is_func_proto(program.get());
  }
}

}  // namespace btfcheck
