// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A tool's manual as it is written: Markdown (tools/X/X.md), which the build embeds. Help, man page and the page on a
// forge are the same text.
//
//   # strata X                            the title
//
//   A paragraph of the help.
//
//       # strata X --by process           an example: it stays as it is
//
//   - An item of a list: it begins a line.
//
//   **OVERHEAD.** What it costs.
//
//   ## More                               from here on: for `strata help X` and the manual page
//
// The help is one screen, for somebody who has the problem: what it is for, a real run explained, overhead, caveats
// that change what one does. Rejected: the common options in each help, of which they would be a third.
//
// Of Markdown it has these, bold words at the beginning of a paragraph, and a backslash before a character that would
// mean something.
#pragma once

#include <string>
#include <string_view>

namespace strata {

// Paragraphs, each a line, with an empty line between two; items, each a line; a line of an example begins with two
// spaces.
struct ManualPage {
  std::string help, more;
};
ManualPage parse_page(std::string_view markdown);

}  // namespace strata
