// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/kernel_definitions.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <new>

#include "base/error.h"
#include "bpf/probe_name.h"

namespace strata {
namespace {

struct FreeTypes {
  void operator()(btf *types) const { btf__free(types); }
  void operator()(btf_dump *dump) const { btf_dump__free(dump); }
};

void add_text(void *to, const char *format, va_list arguments) {
  char *text = nullptr;
  if (vasprintf(&text, format, arguments) < 0) throw std::bad_alloc();
  const std::unique_ptr<char, decltype(&free)> owner(text, free);
  static_cast<std::string *>(to)->append(text);
}

class Definitions {
 public:
  Definitions() : types_(btf__load_vmlinux_btf()) {
    if (!types_) throw system_error("cannot read the types of this kernel (BTF)");
    dump_.reset(btf_dump__new(types_.get(), add_text, &text_, nullptr));
    if (!dump_) throw system_error("cannot print the types of this kernel");
  }

  // By their names, each once.
  std::map<std::string, uint32_t> like(const std::string &pattern) const {
    std::map<std::string, uint32_t> found;
    for (uint32_t id = 1; id < btf__type_cnt(types_.get()); id++) {
      const btf_type *type = btf__type_by_id(types_.get(), id);
      const char *word = btf_is_struct(type) ? "struct " : btf_is_union(type) ? "union " : "enum ";
      const std::string name = btf__name_by_offset(types_.get(), type->name_off);
      if (name.empty() || !(btf_is_composite(type) || btf_is_any_enum(type))) continue;
      if (is_called(word + name, pattern)) found.emplace(word + name, id);
    }
    return found;
  }

  std::string definition(const std::string &name, uint32_t id) {
    const btf_type *type = btf__type_by_id(types_.get(), id);
    text_ = name + " {\n";
    if (btf_is_composite(type))
      for (uint32_t i = 0; i < btf_vlen(type); i++) add_member(type, i);
    else
      add_values(type);
    return text_ + "};\n";
  }

 private:
  void add_member(const btf_type *of, uint32_t i) {
    const btf_member &member = btf_members(of)[i];
    LIBBPF_OPTS(btf_dump_emit_type_decl_opts, options);
    options.field_name = btf__name_by_offset(types_.get(), member.name_off);
    options.indent_level = 1;
    text_ += "\t";
    if (const int err = btf_dump__emit_type_decl(dump_.get(), member.type, &options); err != 0)
      throw system_error("cannot print a type of this kernel", -err);
    if (const uint32_t bits = btf_member_bitfield_size(of, i); bits != 0) text_ += ": " + std::to_string(bits);
    text_ += ";\n";
  }

  void add_values(const btf_type *of) {
    for (uint32_t i = 0; i < btf_vlen(of); i++) {
      const bool wide = btf_is_enum64(of);
      const uint32_t name = wide ? btf_enum64(of)[i].name_off : btf_enum(of)[i].name_off;
      const uint64_t value = wide ? btf_enum64_value(&btf_enum64(of)[i])
                                  : static_cast<uint64_t>(static_cast<int64_t>(btf_enum(of)[i].val));
      text_ += "\t" + std::string(btf__name_by_offset(types_.get(), name)) + " = " +
               (btf_kflag(of) || static_cast<int64_t>(value) < 0 ? std::to_string(static_cast<int64_t>(value))
                                                                 : std::to_string(value)) +
               ",\n";
    }
  }

  std::string text_;
  std::unique_ptr<btf, FreeTypes> types_;
  std::unique_ptr<btf_dump, FreeTypes> dump_;
};

}  // namespace

std::string kernel_definitions(const std::string &pattern, bool members) {
  Definitions definitions;
  std::string text;
  for (const auto &[name, id] : definitions.like(pattern))
    text += members ? definitions.definition(name, id) : name + "\n";
  return text;
}

}  // namespace strata
