// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/column_choice.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {{.key = "tgid", .title = "PID", .width = 7},
                              {.key = "path", .title = "PATH"},
                              {.key = "uid", .title = "UID", .width = 5},
                              {.key = "pid", .title = "OTHER", .width = 7},
                              {.key = "stack", .title = "STACK", .unit = Unit::kStack}};

using Places = std::vector<size_t>;

Places chosen(std::vector<std::string> lists) { return columns_named(kColumns, lists, {0, 1}); }

std::string refusal(const std::string &list) {
  try {
    chosen({list});
  } catch (const Error &error) {
    CHECK(error.exit_status() == kUsageStatus);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("columns by key or header, in any case") {
  CHECK(chosen({"path,Tgid"}) == Places{1, 0});
  CHECK(chosen({"PATH", "Other"}) == Places{1, 3});
  CHECK(chosen({"uid,uid"}) == Places{2});
  CHECK(column_named(kColumns, "sort", "PID") == 3);  // a key comes before a header
}

TEST_CASE("columns are added to those that are shown, or taken away") {
  CHECK(chosen({}) == Places{0, 1});
  CHECK(chosen({"+uid"}) == Places{0, 2, 1});  // the path stays the last one, but for what stands below the row
  CHECK(chosen({"tgid,path,stack", "+uid,+pid"}) == Places{0, 2, 3, 1, 4});
  CHECK(chosen({"path,stack,uid"}) == Places{1, 4, 2});
  CHECK(chosen({"uid", "+pid,+path"}) == Places{2, 3, 1});
  CHECK(chosen({"+UID,-path"}) == Places{0, 2});
  CHECK(chosen({"-path", "+uid"}) == Places{0, 2});
  CHECK(chosen({"uid", "-uid,+path"}) == Places{1});
  CHECK(refusal("-tgid,-path") == "--columns leaves no column to show");
}

TEST_CASE("a column that is not there") {
  CHECK(refusal("uid,pth") ==
        "--columns: no such column: 'pth' (did you mean 'path'?); there are tgid, path, uid, pid, stack");
  CHECK(refusal("+").starts_with("--columns: no such column: '';"));
  CHECK(refusal("").starts_with("--columns: no such column: '';"));
}

}  // namespace strata
