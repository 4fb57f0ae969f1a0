// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as the expression of --when: it is refused at a place within it, or it holds of a row or not; and not (it)
// is the other one.
#include "model/condition.h"

#include "base/error.h"
#include "fuzz.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {
    {.decode = {.type = Type::kText}, .key = "comm", .title = "COMM"},
    {.decode = {.type = Type::kInteger}, .key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs},
    {.decode = {.type = Type::kNumber}, .key = "share", .title = "SHARE", .unit = Unit::kPercent},
    {.decode = {.type = Type::kFlag}, .key = "sync", .title = "SYNC"},
    {.key = "return", .title = "RETURN"},
};

bool holds(const std::string &text, const Row &row) { return Condition("when", text, kColumns).holds(row); }

void check(const std::string &text) {
  if (text.find('{') != std::string::npos) return;  // the C library compiles a{255}{255} into gigabytes
  const Row rows[] = {{std::string("fio"), uint64_t{12'000}, 12.5, true, int64_t{-5}},
                      {std::string(), Value(), Value(), Value(), std::string("ENOENT")}};
  try {
    for (const Row &row : rows) {
      const bool held = holds(text, row);
      require(holds("!(" + text + ")", row) != held && holds("(" + text + ") || comm == x", row) == held);
    }
  } catch (const Error &error) {
    require(error.exit_status() == kUsageStatus && std::string_view(error.what()).ends_with("^"));
  }
}

}  // namespace
}  // namespace strata

int fuzz_condition(const uint8_t *data, size_t size) {
  strata::check(std::string(reinterpret_cast<const char *>(data), size));
  return 0;
}
