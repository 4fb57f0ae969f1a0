// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/preprocessor.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace strata::expr {
namespace {

constexpr size_t kMostNested = 100;     // names whose tokens have names
constexpr size_t kMostPutIn = 200'000;  // tokens; their programs would be too long for the kernel

class Preprocessor {
 public:
  Preprocessor(const Source &source, std::vector<Token> tokens) : source_(source), tokens_(std::move(tokens)) {}

  std::vector<Token> all() {
    while (tokens_[at_].kind != Token::Kind::kEnd) {
      if (tokens_[at_].is("#") && tokens_[at_].begins_line)
        directive();
      else if (const Token &token = tokens_[at_++]; holds_)
        put(token, token);
    }
    if (!conditions_.empty()) throw source_.error(conditions_.back().at, "this condition has no #endif");
    made_.push_back(tokens_.back());
    return std::move(made_);
  }

 private:
  using Line = std::span<const Token>;
  struct Condition {
    Span at;
    bool around = true;  // what is around it holds
    bool done = false;   // one of its branches held
    bool has_else = false;
  };

  // What an error of a line is about, where a word of it is missing.
  static Span place(Line line, size_t which) { return line[std::min(which, line.size() - 1)].at; }

  void directive() {
    const size_t from = at_++;
    while (tokens_[at_].kind != Token::Kind::kEnd && !tokens_[at_].begins_line) at_++;
    const Line line = Line(tokens_).subspan(from + 1, at_ - from - 1);
    if (line.empty()) return;  // C has this one, too
    const std::string &word = line[0].text;
    if (word == "if" || word == "ifdef" || word == "ifndef") return begin_condition(line);
    if (word == "elif" || word == "else" || word == "endif") return go_on(line);
    if (!holds_) return;
    if (word == "define") return define(line);
    if (word == "undef") {
      definitions_.erase(name_of(line));
    } else if (word != "include") {  // that names what BTF has anyway
      throw source_.error({tokens_[from].at.from, line[0].at.to}, "strata run does not know #" + printable(word));
    }
  }

  [[nodiscard]] const std::string &name_of(Line line) const {
    if (line.size() < 2 || line[1].kind != Token::Kind::kName)
      throw source_.error(place(line, 1), "expected a name after #" + printable(line[0].text));
    return line[1].text;
  }

  void define(Line line) {
    const std::string &name = name_of(line);
    if (line.size() > 2 && line[2].is("(") && !line[2].spaced)
      throw source_.error({line[1].at.from, line[2].at.to},
                          "#define takes no parameters here; macro " + name + "($x) { ... } does that");
    definitions_[name] = {line.begin() + 2, line.end()};
  }

  // --- conditions

  void begin_condition(Line line) {
    conditions_.push_back({.at = line[0].at, .around = holds_});
    holds_ = holds_ && condition(line);
    conditions_.back().done = holds_;
  }

  void go_on(Line line) {
    const std::string &word = line[0].text;
    if (conditions_.empty()) throw source_.error(line[0].at, "there is no #if before this #" + word);
    Condition &one = conditions_.back();
    if (word == "endif") {
      holds_ = one.around;
      conditions_.pop_back();
      return;
    }
    if (std::exchange(one.has_else, word == "else" || one.has_else))
      throw source_.error(line[0].at, "this condition has an #else already");
    holds_ = one.around && !one.done && (word == "else" || condition(line));
    one.done = one.done || holds_;
  }

  [[nodiscard]] bool condition(Line line) const {
    const std::string &word = line[0].text;
    if (word == "ifdef" || word == "ifndef") return definitions_.contains(name_of(line)) == (word == "ifdef");
    size_t at = 1;
    while (at < line.size() && line[at].is("!")) at++;
    const bool wanted = at % 2 == 1;
    const Line rest = line.subspan(at);
    if (rest.size() == 1 && rest[0].kind == Token::Kind::kNumber) return (rest[0].number != 0) == wanted;
    if (rest.size() == 1 && rest[0].kind == Token::Kind::kName) return is_true(rest[0].text) == wanted;
    const bool bare = rest.size() == 2 && rest[0].is_name("defined");
    const bool within = rest.size() == 4 && rest[0].is_name("defined") && rest[1].is("(") && rest[3].is(")");
    if (!bare && !within)
      throw source_.error({place(line, 1).from, line.back().at.to}, "#if takes a number, NAME or defined(NAME) here");
    return definitions_.contains(rest[within ? 2 : 1].text) == wanted;
  }

  // A name that is defined as a number, which is not 0; through other names.
  [[nodiscard]] bool is_true(std::string_view name) const {
    for (size_t depth = 0; depth < kMostNested; depth++) {
      const auto at = definitions_.find(name);
      if (at == definitions_.end() || at->second.size() != 1) return false;
      const Token &token = at->second[0];
      if (token.kind == Token::Kind::kNumber) return token.number != 0;
      name = token.text;
    }
    return false;
  }

  // --- uses

  // As C has it: a name within its own tokens is left as it is.
  void put(const Token &token, const Token &use) {
    const auto at = token.kind == Token::Kind::kName ? definitions_.find(token.text) : definitions_.end();
    if (at == definitions_.end() || std::ranges::find(within_, token.text) != within_.end()) {
      made_.push_back(token);
      made_.back().at = use.at;
      return;
    }
    if (within_.size() >= kMostNested) throw source_.error(use.at, "#define nests this too deeply");
    within_.push_back(token.text);
    const size_t first = made_.size();
    for (const Token &one : at->second) {
      if (++put_in_ > kMostPutIn) throw source_.error(use.at, "#define makes this program too long for the kernel");
      put(one, use);
    }
    if (first < made_.size()) made_[first].spaced = token.spaced;
    within_.pop_back();
  }

  const Source &source_;
  const std::vector<Token> tokens_;
  std::vector<Token> made_;
  std::map<std::string, std::vector<Token>, std::less<>> definitions_ = {
      {"BPFTRACE_HAVE_BTF", {{.kind = Token::Kind::kNumber, .text = "1", .number = 1}}}};
  std::vector<Condition> conditions_;
  std::vector<std::string_view> within_;  // names whose tokens are put in
  size_t at_ = 0, put_in_ = 0;
  bool holds_ = true;
};

}  // namespace

std::vector<Token> preprocessed(const Source &source, std::vector<Token> tokens) {
  if (std::ranges::none_of(tokens, [](const Token &one) { return one.begins_line && one.is("#"); })) return tokens;
  return Preprocessor(source, std::move(tokens)).all();
}

}  // namespace strata::expr
