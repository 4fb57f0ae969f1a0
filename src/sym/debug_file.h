// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The symbols that a program was stripped of, where its maker put them: in a file of debug symbols, or packed in
// itself.
#pragma once

#include <string>

#include "base/fd.h"

namespace strata {

class ElfFile;

// A file of debug symbols with the build id of `elf`, else the one that its .gnu_debuglink names, if the checksum is
// right. `path` is the program's own, below `root`, which is its process's.
//
// Whoever has a mount namespace of his own chooses what lies below its root, and a program may be everybody's: so the
// file must belong to the program's owner, or to root.
[[nodiscard]] Fd open_debug_file(const ElfFile &elf, const std::string &path, const Fd &root);

// What .gnu_debugdata holds, a file of its own: the symbols of static functions (Fedora and its relatives).
[[nodiscard]] Fd unpacked_debug_data(const ElfFile &elf);

}  // namespace strata
