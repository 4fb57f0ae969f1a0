// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as the BTF of a kernel and, cut in two, as that of a kernel and of a module.
#include "btf/file.h"

#include "btf/subset.h"
#include "fuzz.h"

namespace strata {
namespace {

void look_at(const BtfFile &types) {
  for (const char *name : {"inner", "outer", "kind", "work"}) {
    for (const uint32_t id : types.named(name)) require(types.name(types.type(id).head.name_off) == name);
  }
  MemoryFile file;
  file.write(btf_subset(
      types, {.names = {"inner", "outer", "kind", "work", "btf_trace_done"}, .members = {"a", "in", "next"}}));
  require(BtfFile::open(file.name()) != nullptr);
}

void read_types(std::string_view bytes, size_t cut) {
  MemoryFile kernel, module;
  kernel.write(bytes);
  if (const auto types = BtfFile::open(kernel.name())) look_at(*types);
  kernel.write(bytes.substr(0, cut));
  module.write(bytes.substr(cut));
  const auto base = BtfFile::open(kernel.name());
  const auto types = base ? BtfFile::open(module.name(), base.get()) : nullptr;
  if (types) look_at(*types);
}

}  // namespace
}  // namespace strata

// The first two bytes say where the rest is cut.
int fuzz_kernel_types(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char *>(data) + 2, size - 2);
  strata::read_types(bytes, std::min<size_t>(data[0] | data[1] << 8, bytes.size()));
  return 0;
}
