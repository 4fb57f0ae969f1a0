// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/users.h"

#include "base/test.h"

namespace strata {
namespace {

constexpr std::string_view kPasswd =
    "root:x:0:0:root:/root:/bin/bash\n"
    "# a comment\n"
    "broken:x:7\n"
    "minus:x:4294967295:1::/:/bin/sh\n"
    "bob:x:1000:1001:Bob,,,:/home/bob:/bin/zsh\n"
    "12:x:1200:1200::/:\n"
    "twelve:x:12:12::/nonexistent:/bin/sh\n"
    "again:x:1000:5::/:/bin/sh\n";
constexpr std::string_view kGroup =
    "root:x:0:\n"
    "adm:x:4:eve,bob\n"
    "bobs:x:5:bobby\n"
    "bob:x:1001:bob\n"
    "broken:x\n"
    "wheel:x:10:bob\n";

std::optional<User> find(std::string_view user) { return find_user(user, Lines::of(kPasswd), Lines::of(kGroup)); }

}  // namespace

TEST_CASE("a user has the groups that name it, its own first, and each once") {
  const std::optional<User> bob = find("bob");
  REQUIRE(bob);
  CHECK(bob->uid == 1000);
  CHECK(bob->gid == 1001);
  CHECK(bob->home == "/home/bob");
  CHECK(bob->shell == "/bin/zsh");
  CHECK(bob->groups == std::vector<gid_t>{1001, 4, 10});
  CHECK(find("root")->groups == std::vector<gid_t>{0});
}

TEST_CASE("a number is a user's whom nobody is called by, the first of them") {
  CHECK(find("1000")->name == "bob");
  CHECK(find("12")->uid == 1200);
  CHECK(find("0")->name == "root");
}

TEST_CASE("who is not there is not found") {
  for (const char *user : {"", "eve", "broken", "minus", "4294967295", "1001", "bo", "bob ", "-1", "# a comment"})
    CHECK_FALSE(find(user));
}

}  // namespace strata
