// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a shell proposes where the cursor is. The scripts of the shells are thin: they ask the strata in PATH each time
// (3 ms), which knows its tables, and this machine's disks, processes and users. Rejected: scripts that hold the tables
// themselves, three times in three languages, of which each would have to find the option that a value belongs to.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "run/find_tool.h"

namespace strata {

inline constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

std::string completion_script(Tools tools, std::string_view shell);  // one of kShells

// For the scripts: the words up to the cursor, the program's first and the one that is being typed last. In the first
// line is what may stand there: "words"; "parts", behind which the word may go on; "files"; or "command", behind --.
// Then a line for each of the words: the whole word, a tab, and what it means.
std::string completions_of(Tools tools, std::span<const std::string> words);

}  // namespace strata
