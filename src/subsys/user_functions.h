// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions of programs and libraries by the names that people type: the file by its path, which may be a pattern, by a
// program's name as a shell finds it, or by a library's short name ("c", "libc", "ssl"), of which processes and
// directories may have several; "*": all that the processes have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "sym/elf.h"
#include "sym/usdt.h"

namespace strata {

class Session;

struct UserFile {
  Fd file;
  std::string path;
};

// Each file that is called so: of libraries those that the processes have which are looked at, and without -p those of
// the usual directories. Throws Error if there is none.
std::vector<UserFile> find_user_files(const Session &session, const std::string &name);

struct UserFunctions {
  Fd file;
  std::string path;
  std::vector<ElfFile::NamedFunction> functions;  // each place once
};

// In each file of that name that has one; `name` may be a pattern. Throws Error: there is no such file, or none has
// such a function, with the nearest name, or that it was stripped.
std::vector<UserFunctions> find_user_functions(const Session &session, const std::string &file,
                                               const std::string &name);

struct UsdtProbes {
  Fd file;
  std::string path;
  std::vector<UsdtProbe> probes;
};

// The static probes of such files; each name may be a pattern, and the provider's "": any. Throws Error: there is no
// such file; find_usdt_probes() also if none has one.
std::vector<UsdtProbes> usdt_probes_in(const Session &session, const std::string &file, const std::string &provider,
                                       const std::string &name);
std::vector<UsdtProbes> find_usdt_probes(const Session &session, const std::string &file, const std::string &provider,
                                         const std::string &name);

// Is it a library that is called so? "libc.so.6", "ld-musl-x86_64.so.1" and "libc-2.31.so" are "c", "libc" and
// "libc.so.6".
bool is_library_called(std::string_view file, std::string_view name);

}  // namespace strata
