// Any words as a command line of strata follow: refused with status 2 and a printable sentence, or parsed into range.
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "run/tool.h"

namespace strata {
extern const Tool tool_follow;

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

// A word per line, so that words may hold spaces.
std::vector<std::string> words_of_lines(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

void require_in_range(const Values &values, const Option &option) {
  const bool number = option.kind == OptionKind::kNumber || option.kind == OptionKind::kOneIn;
  if (!values.given(option.name)) return;
  if (number) require(values.number(option.name) >= option.low && values.number(option.name) <= option.high);
  if (option.kind == OptionKind::kDuration) {
    const uint64_t ns = values.duration_ns(option.name);
    require(ns >= option.low && ns <= option.high);
  }
  if (option.kind == OptionKind::kNumbers) {
    for (const uint64_t value : values.numbers(option.name)) require(value >= option.low && value <= option.high);
  }
}

void parse(const std::vector<std::string> &words) {
  const Tool &tool = tool_follow;
  const Syntax syntax = {.program = "strata follow",
                         .operands = tool.operands,
                         .options = tool.options,
                         .formats = tool.formats,
                         .takes = tool.takes};
  try {
    const Values values = parse_arguments(syntax, words);
    if (values.given("help") || values.given("version") || values.given("man")) return;
    for (const Option &option : all_options(syntax)) require_in_range(values, option);
  } catch (const Error &error) {
    require(error.exit_status() == 2 && printable(error.what()) == error.what());
  }
}

}  // namespace
}  // namespace strata

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  strata::parse(strata::words_of_lines({reinterpret_cast<const char *>(data), size}));
  return 0;
}
