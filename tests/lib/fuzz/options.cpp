// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Command lines made of the real tables: tools, links, options, operands, the spellings of other suites, columns, and
// values that are mostly right. What is taken is given: no option is taken and does nothing.
#include "arguments.h"
#include "cli/peers.h"

namespace strata {
namespace {

// The input as a row of choices.
class Choices {
 public:
  Choices(const uint8_t *data, size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool over() const { return at_ >= size_; }
  size_t below(size_t count) { return over() ? 0 : data_[at_++] % count; }
  template <typename List>
  auto of(const List &list) {
    return list[below(std::size(list))];
  }

 private:
  const uint8_t *data_;
  size_t size_, at_ = 0;
};

constexpr std::string_view kNumbers[] = {"0", "1", "7", "99", "4096", "1k", "64M", "4194304", "18446744073709551616",
                                         ""};
constexpr std::string_view kTimes[] = {"0", "1", "0.5", "10ms", "1s", "2m", "1h", "99h", "5us", "-1s", "1x"};
constexpr std::string_view kOneIns[] = {"1/1", "1/1000", "100", "0", "1/0", "2/3"};
constexpr std::string_view kTexts[] = {"a",     "nobody", "/a", "ENOENT",  "10.0.0.0/8", "ext4",
                                       "CREAT", "sda",    "",   "\x1b[2J", "--",         "-x"};

std::string value_for(const Option &option, const Tool &tool, Choices &choices) {
  switch (option.kind) {
    case OptionKind::kNumber:
      return std::string(choices.of(kNumbers));
    case OptionKind::kNumbers:
      return std::string(choices.of(kNumbers)) + (choices.below(2) ? "" : "," + std::string(choices.of(kNumbers)));
    case OptionKind::kOneIn:
      return std::string(choices.of(kOneIns));
    case OptionKind::kDuration:
    case OptionKind::kTime:
      return std::string(choices.of(kTimes));
    case OptionKind::kChoice:
      return std::string(choices.of(words_of(option.value)));
    default:
      break;
  }
  if (option.name == "output") return std::string(choices.of(formats_of(tool))) + (choices.below(2) ? ":-" : "");
  const std::vector<Field> columns = columns_of(tool);
  if ((option.name == "columns" || option.name == "sort") && !columns.empty()) {
    constexpr std::string_view kSigns[] = {"", "+", "-"};
    const Field column = choices.of(columns);
    return std::string(choices.of(kSigns)) + std::string(choices.below(2) ? column.key : column.title);
  }
  return std::string(choices.of(kTexts));
}

struct Line {
  std::vector<std::string> words;
  std::vector<std::string> given;  // the options that it must give if it is taken
  bool over = false;               // the next word would be the last one's value
};

// "-x VALUE", "-xVALUE", "--name VALUE", "--name=VALUE"
void add(Line &line, std::string_view spelling, bool letter, const std::string *value, Choices &choices) {
  std::string word = (letter ? "-" : "--") + std::string(spelling);
  const bool apart = value == nullptr || value->empty() || choices.below(2) == 0;
  if (!apart) word += (letter ? "" : "=") + *value;
  line.words.push_back(word);
  if (value != nullptr && apart) line.words.push_back(*value);
}

void add_option(Line &line, const Tool &tool, std::span<const Peer> peers, std::span<const Option> options,
                Choices &choices) {
  const Option option = choices.of(options);
  const std::string value = value_for(option, tool, choices);
  // Not one that is another suite's by its value.
  const bool shared = std::ranges::any_of(peers, [&](const Peer &peer) {
    return !peer.ours.empty() && peer.spellings == std::string_view(&option.short_name, 1);
  });
  const bool letter = option.short_name != '\0' && !shared && choices.below(2) == 0;
  const std::string_view spelling = letter ? std::string_view(&option.short_name, 1) : option.name;
  add(line, spelling, letter, option.value.empty() ? nullptr : &value, choices);
  line.given.emplace_back(option.name);
}

void add_peer(Line &line, const Tool &tool, std::span<const Peer> peers, std::span<const Option> options,
              Choices &choices) {
  if (peers.empty()) return;
  const Peer peer = choices.of(peers);
  const std::string_view spelling = choices.of(words_of(peer.spellings));
  const std::string_view name = peer.ours.substr(0, peer.ours.find('=')).substr(std::min<size_t>(2, peer.ours.size()));
  const auto ours = std::ranges::find(options, name, &Option::name);
  require(peer.ours.empty() || ours != options.end());  // no row for what is not there
  const bool valued = peer.ours.ends_with('=') || !peer.values.empty();
  const std::string value = peer.ours.ends_with('=') ? value_for(*ours, tool, choices)
                            : valued                 ? std::string(choices.of(words_of(peer.values)))
                                                     : "";
  add(line, spelling, spelling.size() == 1, valued ? &value : nullptr, choices);
  const bool is_ours = std::ranges::any_of(options, [&](const Option &option) {
    return spelling.size() == 1 ? option.short_name == spelling[0] : option.name == spelling;
  });
  // No row that cannot be reached: a letter of ours is theirs by its value, or refused.
  require(!is_ours || !peer.instead.empty() || peer.theirs != Peer::Values::kNone);
  if (!is_ours && !peer.ours.empty()) line.given.emplace_back(name);
  line.over = is_ours;
}

Line line_for(const Tool &tool, const Syntax &syntax, Choices &choices) {
  const std::vector<Option> options = all_options(syntax);
  const std::vector<Peer> peers = peers_of(tool.name, syntax.common_options & kHasFilters);
  Line line;
  while (!choices.over() && !line.over && line.words.size() < 16) {
    switch (choices.below(6)) {
      case 0:
        line.words.emplace_back(choices.of(kTimes));  // an operand
        break;
      case 1:
        line.words.emplace_back(choices.of(kTexts));
        break;
      case 2:
        add_peer(line, tool, peers, options, choices);
        break;
      default:
        add_option(line, tool, peers, options, choices);
    }
  }
  return line;
}

void try_line(Choices choices) {
  const Tool &tool = *choices.of(kTools);
  const Link *link = tool.links.empty() || choices.below(2) ? nullptr : &tool.links[choices.below(tool.links.size())];
  const std::string program = "strata " + std::string(tool.name);
  const Line line = line_for(tool, syntax_of(tool, program, link), choices);
  const bool command = std::ranges::find(line.words, "--") != line.words.end();  // what follows is none of ours
  const std::optional<Values> values = parse(tool, link, line.words);
  if (!values || command) return;
  for (const std::string &name : line.given) require(values->given(name));
}

}  // namespace
}  // namespace strata

int fuzz_options(const uint8_t *data, size_t size) {
  strata::try_line({data, size});
  return 0;
}
