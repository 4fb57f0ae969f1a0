// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/condition.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {
    {.decode = {.type = Type::kText}, .key = "comm", .title = "COMM"},
    {.decode = {.type = Type::kInteger}, .key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs},
    {.decode = {.type = Type::kInteger}, .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes},
    {.key = "return", .title = "RETURN"},
    {.decode = {.type = Type::kFlag}, .key = "sync", .title = "SYNC"},
    {.decode = {.type = Type::kInteger}, .key = "time_ns", .title = "TIME", .unit = Unit::kWallNs},
    {.decode = {.type = Type::kNumber}, .key = "share", .title = "SHARE", .unit = Unit::kPercent},
    {.key = "args", .title = "ARGS", .unit = Unit::kWords},
};

const Row kRow = {std::string("fio"),        uint64_t{12'000'000}, uint64_t{4096}, int64_t{-5}, true, uint64_t{7}, 12.5,
                  std::string("ls\0-l\0", 6)};
const Row kBare = {std::string(), Value(), uint64_t{0}, std::string("ENOENT"), false, uint64_t{7}, 0.0, Value()};

bool holds(std::string_view text, const Row &row = kRow) { return Condition("when", text, kColumns).holds(row); }

std::string refusal(std::string_view text) {
  try {
    holds(text);
  } catch (const Error &error) {
    CHECK(error.exit_status() == kUsageStatus);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a condition compares numbers in the units of their columns") {
  CHECK(holds("LATENCY > 10ms"));
  CHECK_FALSE(holds("lat_ns>12ms"));
  CHECK(holds("lat_ns >= 12ms && Latency <= 12000us && latency == 0.012s && latency != 0"));
  CHECK(holds("size == 4k && SIZE == 4KiB && size_bytes<1M"));
  CHECK(holds("return == -5 && return < 0 && return > -6 && return != 18446744073709551611"));
  CHECK(holds("share > 12 && share < 12.6% && share == 12.5"));
  CHECK(holds("sync == true && sync && sync != false"));
}

TEST_CASE("a condition compares texts, and matches them") {
  CHECK(holds("comm == fio && comm != dd && comm == 'fio'"));
  CHECK(holds("comm ~ ^f && comm ~ \"i.$\" && comm !~ x"));
  CHECK(holds("args == 'ls -l ' && args ~ ' -l'"));
  CHECK(holds("return == ENOENT && return ~ NO && return != 0", kBare));
  CHECK_FALSE(holds("return < 0 || return >= 0", kBare));
  CHECK_FALSE(holds("return == ENOENT"));
  CHECK(holds("comm != 'a\\'b' && comm !~ '\\.'"));
}

TEST_CASE("what is not there is neither equal nor unequal") {
  CHECK_FALSE(holds("latency || latency == 0 || latency != 0 || args ~ l || args !~ l", kBare));
  CHECK(holds("!latency && !comm && !size && !sync && !share", kBare));
  CHECK(holds("latency && comm && size && sync && share && args && return"));
}

TEST_CASE("! binds closest, && closer than ||") {
  CHECK(holds("comm == dd && sync || size"));
  CHECK_FALSE(holds("comm == dd && (sync || size)"));
  CHECK(holds("!comm == dd"));  // not (comm == dd)
  CHECK(holds("!(comm == dd || !sync)"));
}

TEST_CASE("the mistakes of a condition, with their place") {
  CHECK(refusal("comm == fio && siz_bytes > 3") ==
        "--when: no such column: 'siz_bytes' (did you mean 'size_bytes'?); there are comm, lat_ns, size_bytes, return, "
        "sync, "
        "time_ns, share, args\n  comm == fio && siz_bytes > 3\n                 ^");
  CHECK(refusal("latency > 10") ==
        "--when: lat_ns is a time, with its unit: 50us, 10ms, 2s\n  latency > 10\n            ^");
  const auto mistake = [](std::string_view text) {
    const std::string all = refusal(text);
    return all.substr(0, all.find('\n'));
  };
  CHECK(mistake("") == "--when: a column is missing");
  CHECK(mistake("comm ==") == "--when: what == compares with is missing");
  CHECK(mistake("comm == 'fio") == "--when: the text has no end");
  CHECK(mistake("comm = fio") == "--when: not an operator; there are && || == != <= >= !~ < > ~ ! ( )");
  CHECK(mistake("comm < fio") == "--when: comm is a text: texts have == != ~ !~");
  CHECK(mistake("size ~ 4") == "--when: size_bytes is no text: ~ is for texts");
  CHECK(mistake("size == big") == "--when: size_bytes is a number");
  CHECK(mistake("sync == 1") == "--when: sync is true or false");
  CHECK(mistake("time > 3") == "--when: a time of day is not compared: strata replay has --from and --to");
  CHECK(mistake("(comm == fio") == "--when: ')' is missing");
  CHECK(mistake("comm == fio sync") == "--when: && or || is missing");
  CHECK(mistake("comm ~ '('").starts_with("--when: not a regular expression: '('"));
  CHECK(mistake("3 < size").starts_with("--when: no such column: '3'"));
  CHECK(mistake(std::string(101, '(')) == "--when: too many parentheses");
}

}  // namespace strata
