// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a program or a library: a container's files are read by strata as root.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>

#include "base/fd.h"
#include "fuzz.h"
#include "sym/debug_file.h"
#include "sym/elf.h"
#include "sym/usdt.h"

int fuzz_elf(const uint8_t *data, size_t size) {
  constexpr std::string_view kNames[] = {"getaddrinfo", "main"};
  const strata::Fd file(memfd_create("elf", MFD_CLOEXEC));
  strata::require(file && pwrite(file.get(), data, size, 0) == static_cast<ssize_t>(size));
  const strata::ElfFile elf(file.get());
  const strata::ElfFile::Functions functions = elf.functions(kNames);
  strata::require(functions.found.size() <= strata::ElfFile::kMostPlaces);
  for (const auto &[name, offset] : functions.found) strata::require(elf.valid() && name < std::size(kNames));
  (void)strata::unpacked_debug_data(elf);
  (void)strata::usdt_probes(elf);
  (void)strata::usdt_probes(std::as_bytes(std::span(data, size)), size % 2 == 0);
  (void)strata::open_debug_file(elf, "/bin/program", strata::Fd());
  return 0;
}
