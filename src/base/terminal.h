// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How much room there is where text is shown.
#pragma once

#include <cstddef>

namespace strata {

// Of a line: what COLUMNS says, else the terminal's width, 20 at least; else 80. Text that is laid out fits it; nothing
// is cut.
size_t text_columns(int fd);

// Of a terminal on which the cursor can go back; 0 if the descriptor is none.
size_t screen_lines(int fd);

// Somebody sees standard error while the run goes on: it is a terminal, and so is standard input or output.
bool is_attended();

}  // namespace strata
