// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as the names of what a JIT compiler made: the file is a process's own.
#include "sym/perf_map.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/fd.h"
#include "fuzz.h"

int fuzz_perf_map(const uint8_t *data, size_t size) {
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  const strata::Fd file(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  strata::require(file && pwrite(file.get(), data, size, 0) == static_cast<ssize_t>(size));
  strata::PerfMap map(static_cast<uint32_t>(getpid()));
  for (uint64_t address = 0; address < 64; address++) strata::require(map.name(address).size() <= 200);
  unlink(path.c_str());
  return 0;
}
