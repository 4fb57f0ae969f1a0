// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cli/page.h"

#include "base/test.h"

namespace strata {

TEST_CASE("a page is paragraphs and examples, and more behind its heading") {
  const ManualPage page = parse_page(
      "# strata x\n\nOne line\nof two.\n\n    # strata x\n    OUT  *put*\n\n**COST.** 5 \\* 3\n\n## More\n\n**WHY.** "
      "Because.\n");
  CHECK(page.help == "One line of two.\n\n  # strata x\n  OUT  *put*\n\nCOST. 5 * 3");
  CHECK(page.more == "WHY. Because.");
  CHECK(parse_page("These:\n\n- one,\n  and more;\n- two.\n\nThen").help ==
        "These:\n\n- one, and more;\n- two.\n\nThen");
}

TEST_CASE("any text is a page") {
  CHECK(parse_page("").help.empty());
  CHECK(parse_page("\n\n").help.empty());
  CHECK(parse_page("a\\").help == "a\\");
  CHECK(parse_page("a\n    b\nc").help == "a\n\n  b\n\nc");
  CHECK(parse_page("## More\nb").more == "b");
}

}  // namespace strata
