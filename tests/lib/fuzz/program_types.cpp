// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as the BTF that a process without privileges made of a program's DWARF: refused, or types whose functions
// and fields end.
#include <algorithm>

#include "btf/sound.h"
#include "expr/program_arguments.h"
#include "expr/types.h"
#include "fuzz.h"

namespace strata {
namespace {

void look_at(expr::Types &types, const expr::Type &type, unsigned depth) {
  expr::name_of(type);
  const expr::Record *record = types.record_of(type);
  if (record == nullptr || depth == 3) return;
  types.field_names(*record);
  for (const expr::Field &field : record->fields) {
    require(field.type.bits == 0 || field.type.bit_offset + field.type.bits <= field.type.size * 8);
    require(!field.type.is(expr::Type::Kind::kInt) || field.type.size <= 8);
    look_at(types, field.type, depth + 1);
  }
}

void read_types(std::string_view bytes) {
  MemoryFile file;
  file.write(bytes);
  const auto program = BtfFile::open(file.name());
  if (program == nullptr || !is_sound(*program)) return;
  expr::Types types([](const std::string &, uint32_t) { return BtfType{}; });
  types.look_into(program.get());
  for (uint32_t id = 1; id < std::min(program->end(), 64U); id++) {
    expr::declared_type(*program, id);
    const std::string name = program->name(program->type(id).head.name_off);
    for (const char *word : {"struct ", "union ", "enum ", ""})
      if (const auto type = types.named({.name = word + name, .pointers = 0, .counts = {}})) look_at(types, *type, 0);
    const auto arguments = expr::program_arguments(types, *program, name);
    if (!arguments) continue;
    for (const expr::ProgramArgument &one : *arguments) look_at(types, one.type, 0);
  }
}

}  // namespace
}  // namespace strata

int fuzz_program_types(const uint8_t *data, size_t size) {
  strata::read_types({reinterpret_cast<const char *>(data), size});
  return 0;
}
