// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The programs and libraries that processes run, in whatever container: each file by what identifies it, and opened by
// way of the process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/file_id.h"
#include "base/lines.h"

namespace strata {

struct MappedFile {
  std::string addresses;  // "7f0000000000-7f0000001000"
  std::string path;       // as /proc/PID/maps names it; may be deleted
};
std::vector<MappedFile> executable_mappings(Lines &maps);    // of /proc/PID/maps; each file once
std::vector<MappedFile> executable_mappings(uint32_t tgid);  // none if it is gone, or a kernel thread

struct CodeMapping {
  uint64_t from = 0, to = 0;
  uint64_t offset = 0;  // in the file
  std::string file;     // device, inode and path; "[vdso]"; "" of what no file backs
  [[nodiscard]] MappedFile place() const;
  [[nodiscard]] FileId id() const;  // the device as in the kernel, not as in stat(2); zeros of what no file backs
  friend bool operator==(const CodeMapping &, const CodeMapping &) = default;
};
std::vector<CodeMapping> code_mappings(Lines &maps);  // each, in the order of their addresses
std::vector<CodeMapping> code_mappings(uint32_t tgid);
// The kernel's code in each 64-bit program, as a file: this program's own, because another could change what it has.
[[nodiscard]] Fd copy_of_vdso();

// Regular files alone are opened, to be read: to open a device asks its driver, and what lies at a path of a container
// is the container's choice. ENOEXEC: it is something else.
[[nodiscard]] Fd open_regular(const std::string &path);
[[nodiscard]] Fd open_mapped(uint32_t tgid, const MappedFile &file);
[[nodiscard]] Fd open_program(uint32_t tgid);           // what it runs
[[nodiscard]] std::string program_path(uint32_t tgid);  // "" if it is gone
// What /proc/PID/maps calls by its path from this process's root, if that leads there, as the process itself names it.
[[nodiscard]] std::string path_below_root(uint32_t tgid, const std::string &path);
[[nodiscard]] Fd open_root(uint32_t tgid);                             // its root directory, for fstat and paths alone
[[nodiscard]] Fd open_below(const Fd &root, const std::string &path);  // symbolic links end below the root, too

std::vector<uint32_t> all_processes();

}  // namespace strata
