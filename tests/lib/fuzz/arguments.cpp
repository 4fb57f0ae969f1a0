// Any words as a command line of a tool, its name first: refused with status 2 and a printable sentence, or parsed into
// the permitted ranges, formats and columns.
#include <algorithm>

#include "base/error.h"
#include "cli/values.h"
#include "fuzz.h"
#include "model/column_choice.h"
#include "run/dispatch.h"
#include "run/session.h"

namespace strata {
namespace {

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
  const auto permitted = [&](uint64_t number) { return number >= option.low && number <= option.high; };
  if (!values.given(option.name)) return;
  switch (option.kind) {
    case OptionKind::kNumber:
    case OptionKind::kOneIn:
      return require(permitted(values.number(option.name)));
    case OptionKind::kDuration:
    case OptionKind::kTime:
      return require(permitted(values.duration_ns(option.name)));
    case OptionKind::kNumbers:
      for (const uint64_t number : values.numbers(option.name)) require(permitted(number));
      return;
    case OptionKind::kChoice: {
      const auto words = words_of(option.value);
      return require(std::find(words.begin(), words.end(), values.text(option.name)) != words.end());
    }
    default:
      return;
  }
}

void require_outputs(const Values &values, const Tool &tool) {
  const View *view = selected_view(tool, values);
  const std::vector<std::string_view> formats = formats_of(tool, view);
  for (const OutputRequest &request : output_requests(values, formats))
    require(std::find(formats.begin(), formats.end(), request.format) != formats.end());
  const std::vector<Field> columns = columns_of(view != nullptr ? record_of(*view).fields : tool.fields);
  if (!values.given("columns")) return;
  for (const size_t column : columns_named(columns, values.texts("columns"), {})) require(column < columns.size());
}

void parse(const Tool &tool, std::span<const std::string> words) {
  const std::string program = "strata " + std::string(tool.name);
  const Syntax syntax = syntax_of(tool, program);
  try {
    const Values values = parse_arguments(syntax, words);
    if (values.given("help") || values.given("version") || values.given("man")) return;
    for (const Option &option : all_options(syntax)) require_in_range(values, option);
    require_outputs(values, tool);
  } catch (const Error &error) {
    require(error.exit_status() == 2 && printable(error.what()) == error.what());
  }
}

}  // namespace
}  // namespace strata

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::vector<std::string> words = strata::words_of_lines({reinterpret_cast<const char *>(data), size});
  if (words.empty()) return 0;
  for (const strata::Tool *tool : strata::kTools) {
    if (tool->name == words[0]) strata::parse(*tool, std::span(words).subspan(1));
  }
  return 0;
}
