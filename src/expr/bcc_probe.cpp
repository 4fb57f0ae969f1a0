// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/bcc_probe.h"

#include <algorithm>
#include <cctype>

#include "base/nearest.h"
#include "base/text.h"
#include "expr/expression_parser.h"
#include "kern/syscall.h"

namespace strata::expr {
namespace {

constexpr size_t kMostArguments = 6;  // in registers

struct Word {
  std::string_view theirs, ours;
};
// $pid is what the kernel calls so, a thread.
constexpr Word kWords[] = {{"$pid", "tid"}, {"$tgid", "pid"},  {"$PID", "pid"},      {"$uid", "uid"}, {"$gid", "gid"},
                           {"$cpu", "cpu"}, {"$COMM", "comm"}, {"$task", "curtask"}, {"NULL", "0"}};

constexpr std::string_view kQualifiers[] = {"const", "volatile", "__user", "__kernel", "restrict"};

Span span_of(std::span<const Token> tokens) { return {tokens.front().at.from, tokens.back().at.to}; }

// --- places

// One regular expression without | as a pattern, "^vfs_.*" as "vfs_*"; empty if a pattern cannot say it. As re.match()
// has it, it holds for the beginning of a name.
std::string pattern_of(std::string_view text) {
  std::string pattern;
  if (text.starts_with('^')) text.remove_prefix(1);
  const bool whole = text.ends_with('$');
  if (whole) text.remove_suffix(1);
  while (!text.empty()) {
    std::string one(1, text[0]);
    size_t size = 1;
    if (text.starts_with(".*") || text.starts_with(".+")) {
      one = text[1] == '*' ? "*" : "?*";
      size = 2;
    } else if (text.starts_with("\\.")) {
      one = ".";
      size = 2;
    } else if (text[0] == '[' && !text.starts_with("[^") && text.find(']') != std::string_view::npos) {
      size = text.find(']') + 1;
      one = text.substr(0, size);
    } else if (text[0] == '.') {
      one = "?";
    } else if (std::isalnum(static_cast<unsigned char>(text[0])) == 0 && text[0] != '_') {
      return "";
    }
    pattern += one;
    text.remove_prefix(size);
  }
  if (!whole && !pattern.ends_with('*')) pattern += "*";
  return pattern;
}

// "^vfs_(read|write)$" as patterns, of which there may be several; the group is not within another.
std::vector<std::string> patterns_of(std::string_view text) {
  const size_t open = text.find('('), close = text.find(')', open);
  const bool group = open != std::string_view::npos && close != std::string_view::npos;
  std::vector<std::string> patterns;
  for (const std::string_view one : split(group ? text.substr(open + 1, close - open - 1) : text, '|'))
    patterns.push_back(pattern_of(group ? std::string(text.substr(0, open)).append(one).append(text.substr(close + 1))
                                        : std::string(one)));
  return patterns;
}

std::string joined(const BccPlace &place, std::string_view kernel, std::string_view user) {
  std::string all;
  for (const std::string &name : place.names) {
    if (!all.empty()) all += ",";
    if (!place.syscall.empty())
      all += std::string("tracepoint:raw_syscalls:sys_") + (kernel == "kprobe" ? "enter" : "exit");
    else if (place.type == 't')
      all += "tracepoint:" + place.library + ":" + name;
    else if (place.type == 'u')
      all += "usdt:" + place.library + ":" + name;
    else if (place.library.empty())
      all += std::string(kernel) + ":" + name;
    else
      all += std::string(user) + ":" + place.library + ":" + name;
  }
  return all;
}

// --- expressions

bool is_qualifier(const Token &token) {
  return std::ranges::any_of(kQualifiers, [&](std::string_view one) { return token.is_name(one); });
}

// "((struct sock *)arg0)"; a type that the language takes for a name (mode_t) is that of a number, as it comes.
std::string parameter_text(std::span<const Token> type, const std::string &argument) {
  std::string text;
  for (const Token &token : type)
    if (!is_qualifier(token)) text += (text.empty() ? "" : " ") + token.text;
  const bool is_type = text.ends_with("*") || kTypeWords.contains(text.substr(0, text.find(' ')));
  return is_type ? "((" + text + ")" + argument + ")" : argument;
}

class Rewriter {
 public:
  Rewriter(const Source &source, const BccNames &names) : source_(source), names_(names) {}

  std::string text(std::span<const Token> tokens) {
    std::string made;
    const Token *before = nullptr;
    while (!tokens.empty()) {
      const Token &token = tokens.front();
      if (token.spaced && !made.empty()) made += " ";
      const bool field = before != nullptr && (before->is(".") || before->is("->"));
      before = &token;
      if (field || !is_word(token)) {
        made += plain(token);
        tokens = tokens.subspan(1);
      } else {
        made += word(tokens);
      }
    }
    return made;
  }

 private:
  static bool is_word(const Token &token) {
    return token.kind == Token::Kind::kName || token.kind == Token::Kind::kVariable;
  }

  [[nodiscard]] std::string plain(const Token &token) const {
    const bool other = token.kind == Token::Kind::kMap || token.kind == Token::Kind::kParameter;
    for (const std::string_view symbol : {"{", "}", ";", "=", "#"})
      if (other || token.is(symbol))
        throw source_.error(
            token.at, "'" + printable(source_.at(token.at)) + "' cannot stand in an expression of bcc's tools here");
    return std::string(source_.at(token.at));
  }

  std::string word(std::span<const Token> &tokens) {
    const Token &token = tokens.front();
    const std::string name(source_.at(token.at));
    tokens = tokens.subspan(1);
    const bool called = !tokens.empty() && tokens.front().is("(");
    if (name == "STRCMP" && called) return comparison(token, tokens);
    if (name == "$entry" && called) return entry(token, tokens);
    if (name == "ctx" && tokens.size() > 1 && tokens[0].is("->")) return register_of(tokens);
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    for (const Word &one : kWords)
      if (one.theirs == name) return std::string(one.ours);
    if (name.size() == 4 && name.starts_with("arg") && std::isdigit(static_cast<unsigned char>(name[3])) != 0)
      throw source_.error(token.at,
                          name + " is not known here: calls have arg1 to arg6, returns retval, tracepoints args->NAME");
    if (token.kind == Token::Kind::kVariable)
      throw source_.error(token.at, "'" + printable(name) +
                                        "' is not known here; there are $pid, $tgid, $uid, $gid, $cpu, $task" +
                                        (names_.contains("$latency") ? ", $retval, $latency, $entry(NAME)" : ""));
    return name;
  }

  // STRCMP("text", pointer): are they alike?
  std::string comparison(const Token &token, std::span<const Token> &tokens) {
    std::span<const Token> inside = bcc_parenthesis(source_, tokens);
    const std::span<const Token> literal = bcc_until(inside, ",");
    if (literal.size() != 1 || literal.front().kind != Token::Kind::kString || inside.empty())
      throw source_.error(token.at, "expected STRCMP(\"text\", pointer)");
    return "(str(" + text(inside) + ") == " + std::string(source_.at(literal.front().at)) + ")";
  }

  // ctx->dx, a register.
  static std::string register_of(std::span<const Token> &tokens) {
    const std::string name = tokens[1].text;
    tokens = tokens.subspan(2);
    return "reg(\"" + name + "\")";
  }

  // $entry(size): what the parameter was when the function was entered.
  std::string entry(const Token &token, std::span<const Token> &tokens) {
    const std::span<const Token> inside = bcc_parenthesis(source_, tokens);
    const std::string name = inside.size() == 1 ? "$entry(" + inside.front().text + ")" : "";
    const auto found = names_.find(name);
    if (found == names_.end())
      throw source_.error(token.at, "expected $entry(NAME) with the name of a parameter of the signature");
    return found->second;
  }

  const Source &source_;
  const BccNames &names_;
};

}  // namespace

bool BccPlace::is_pattern() const {
  return names.size() > 1 || names.front().find_first_of("*?[") != std::string::npos;
}

std::string BccPlace::entry() const { return joined(*this, "kprobe", "uprobe"); }
std::string BccPlace::exit() const { return joined(*this, "kretprobe", "uretprobe"); }

std::string BccPlace::predicate(const std::string &condition) const {
  const int64_t number = syscall.empty() ? -1 : syscall_number(syscall);
  std::string text = number < 0 ? "" : "args.id == " + std::to_string(number);
  if (!condition.empty()) text += text.empty() ? condition : " && " + condition;
  return text.empty() ? "" : "/" + text + "/ ";
}

std::string BccPlace::argument(size_t index) const {
  return syscall.empty() ? "arg" + std::to_string(index) : "args.args[" + std::to_string(index) + "]";
}

BccNames BccPlace::known() const {
  BccNames all;
  if (type == 'r') all = {{"retval", result()}, {"$retval", result()}};
  for (size_t i = 0; (type == 'p' || type == 'u') && i < kMostArguments; i++)
    all["arg" + std::to_string(i + 1)] = argument(i);
  return all;
}

BccPlace bcc_place(const Source &source, BccNaming naming) {
  const bool regular = naming == BccNaming::kRegular;
  const std::string_view text = source.text();
  const size_t from = std::min(text.find_first_not_of(" \t"), text.size());
  const size_t end = std::min(text.find_first_of(regular ? " \t" : " \t(", from), text.size());
  BccPlace made = {.at = {from, end}};
  const auto fault = [&](const std::string &what) { return source.error(made.at, what); };
  if (from == end) throw fault("expected a function, such as vfs_read, c:malloc or t:sched:sched_switch");

  const std::vector<std::string_view> parts = split(source.at(made.at), ':');
  Span name = made.at;
  if (parts.size() > 1) {
    const bool typed = parts.size() > 2;
    const std::string type(typed ? parts[0] : "p");
    if (!type.empty()) made.type = type.size() == 1 ? type[0] : '?';
    made.library = parts[typed ? 1 : 0];
    name.from += (typed ? parts[0].size() + 1 : 0) + made.library.size() + 1;
  }
  if (made.type == 'U') made.type = 'u';
  if (made.type != 'p' && made.type != 'r' && made.type != 't' && made.type != 'u')
    throw fault("no kind of probe is called '" + printable(parts[0]) +
                "'; there are p (a call), r (a return), t (a tracepoint) and u (a static probe)");
  if (made.type == 't' && made.library.empty())
    throw fault("a tracepoint has a category and a name: t:sched:sched_switch");
  if (made.type == 'u' && made.library.empty())
    throw fault("a static probe has a file and a name: u:/usr/sbin/mysqld:query__start");
  if (name.from >= name.to) throw fault("the name of the function is missing");
  const bool within = !regular && source.at(name).find('+') != std::string_view::npos;
  if (within && (naming != BccNaming::kOffset || made.type != 'p'))
    throw source.error(name, made.type == 'r' ? "where a function returns has no offset"
                                              : "functions are traced where they begin, without an offset");
  if (source.at({from, regular ? name.from : end}).find_first_of("{},;\"'#") != std::string_view::npos)
    throw fault("this cannot be the name of a function");
  if (regular)
    made.names = patterns_of(source.at(name));
  else
    made.names.emplace_back(source.at(name));
  if (std::ranges::find(made.names, "") != made.names.end())
    throw source.error(
        name, "a pattern cannot say this regular expression; one can be made of . .* .+ [abc] ^ $ and one (a|b)");
  for (const std::string_view prefix : {"sys_", "SyS_", "__x64_sys_", "__arm64_sys_"})
    if (made.type != 't' && made.type != 'u' && made.library.empty() && !made.is_pattern() &&
        made.names[0].starts_with(prefix))
      made.syscall = made.names[0].substr(prefix.size());
  if (!made.syscall.empty() && syscall_number(made.syscall) < 0)
    throw source.error(name,
                       "no system call is called " + printable(made.syscall) + meant(made.syscall, syscall_names()));
  return made;
}

std::vector<Token> bcc_tokens(const Source &source, size_t position) {
  std::vector<Token> tokens = tokens_of(source);
  tokens.pop_back();
  std::erase_if(tokens, [&](const Token &token) { return token.at.from < position; });
  return tokens;
}

std::span<const Token> bcc_until(std::span<const Token> &tokens, std::string_view symbol) {
  size_t depth = 0, end = 0;
  for (; end < tokens.size() && (depth > 0 || !tokens[end].is(symbol)); end++) {
    if (tokens[end].is("(") || tokens[end].is("[")) depth++;
    if ((tokens[end].is(")") || tokens[end].is("]")) && depth > 0) depth--;
  }
  const std::span<const Token> before = tokens.first(end);
  tokens = tokens.subspan(std::min(end + 1, tokens.size()));
  return before;
}

std::span<const Token> bcc_parenthesis(const Source &source, std::span<const Token> &tokens) {
  const Span open = tokens.front().at;
  tokens = tokens.subspan(1);
  const size_t left = tokens.size();
  const std::span<const Token> inside = bcc_until(tokens, ")");
  if (inside.size() == left) throw source.error(open, "this parenthesis has no end");
  return inside;
}

BccNames bcc_signature(const Source &source, const BccPlace &place, std::span<const Token> &tokens) {
  BccNames names = place.known();
  if (tokens.empty() || tokens.front().at.from != place.at.to) return names;
  std::span<const Token> inside = bcc_parenthesis(source, tokens);
  for (size_t index = 0; !inside.empty(); index++) {
    const std::span<const Token> one = bcc_until(inside, ",");
    if (one.size() < 2) continue;  // (void), or a type without a name
    if (one.back().kind != Token::Kind::kName)
      throw source.error(span_of(one), "expected a type and a name, such as 'struct sock *sk'");
    if (index >= kMostArguments)
      throw source.error(span_of(one), "only the first six parameters of a function are known");
    const std::string name = place.type == 'r' ? "$entry(" + one.back().text + ")" : one.back().text;
    names[name] = parameter_text(one.first(one.size() - 1), place.argument(index));
  }
  return names;
}

BccValue bcc_expression(const Source &source, std::span<const Token> tokens, const BccNames &names) {
  BccValue made;
  if (!tokens.empty() && tokens.back().kind == Token::Kind::kMap && tokens.back().text == "user") {
    made.in_user_space = true;
    tokens = tokens.first(tokens.size() - 1);
  }
  made.text = Rewriter(source, names).text(tokens);
  return made;
}

}  // namespace strata::expr
