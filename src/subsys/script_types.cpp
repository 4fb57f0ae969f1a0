// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_types.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "btf/kernel_types.h"

namespace strata {

expr::Types kernel_expr_types() { return expr::Types(kernel_type); }

// Lines such as "	field:char comm[16];	offset:8;	size:16;	signed:0;".
std::vector<expr::Field> tracepoint_fields(const std::string &format, expr::Types &types) {
  std::vector<expr::Field> fields;
  for (const std::string_view line : split(format, '\n')) {
    const size_t from = line.find("field:"), end = line.find(';', from);
    if (from == std::string_view::npos || end == std::string_view::npos) continue;
    const std::string declaration(line.substr(from + 6, end - from - 6));
    const auto number = [&](std::string_view key) {
      const size_t at = line.find(key);
      return at == std::string_view::npos ? 0U
                                          : static_cast<uint32_t>(strtoul(line.data() + at + key.size(), nullptr, 10));
    };
    const uint32_t size = number("size:");
    const size_t bracket = std::min(declaration.find('['), declaration.size());
    const size_t end_of_name = declaration.find_last_not_of(' ', bracket == 0 ? 0 : bracket - 1);
    const size_t name = declaration.find_last_of(" *", end_of_name);
    expr::Field field = {
        .name = declaration.substr(name + 1, end_of_name - name), .type = {}, .offset = number("offset:")};
    if (declaration.starts_with("__data_loc")) {  // "__data_loc char[] name"
      field.name = declaration.substr(declaration.find_last_of(' ') + 1);
      expr::Type element = expr::int_type(1);
      element.is_char = declaration.starts_with("__data_loc char[]");
      field.type = expr::pointer_to(std::move(element), expr::Space::kKernel);
      field.type.name = "__data_loc";
    } else {
      field.type = types.of_declaration(declaration, size, number("signed:") != 0);
    }
    fields.push_back(std::move(field));
  }
  // Those of all events no program may read.
  std::erase_if(fields, [](const expr::Field &one) { return one.name.starts_with("common_"); });
  return fields;
}

// Those that go through the elements of a map which their user has.
constexpr std::string_view kOfOneMap[] = {"bpf_map_elem", "bpf_sk_storage_map", "sockmap"};

std::vector<std::string> iterator_names(expr::Types &types) {
  std::vector<std::string> names;
  const std::string prefix = kIteratorPrefix;
  for (const std::string &one : functions_like(prefix + "*")) {
    const std::string name = one.substr(prefix.size());
    if (std::ranges::find(kOfOneMap, name) != std::end(kOfOneMap)) continue;
    if (!iterator_fields(name, types).empty()) names.push_back(name);
  }
  return names;
}

std::vector<expr::Field> iterator_fields(const std::string &name, expr::Types &types) {
  std::vector<expr::Field> fields;
  const auto type =
      types.named({.name = "struct bpf_iter__" + name, .pointers = 0, .counts = {}}, expr::Space::kKernel);
  const expr::Record *record = type ? types.record_of(*type) : nullptr;
  if (record == nullptr) return fields;
  for (const std::string &one : types.field_names(*record))
    if (std::optional<expr::Field> field = types.field(*record, one)) {
      field->type.space = expr::Space::kKernel;
      fields.push_back(std::move(*field));
    }
  return fields;
}

}  // namespace strata
