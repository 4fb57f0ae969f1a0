// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "expr/definition_parser.h"
#include "expr/lexer.h"
#include "expr/macros.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;

struct KindName {
  std::string_view name, whole;
};
constexpr KindName kKinds[] = {
    {"begin", "begin"},      {"BEGIN", "begin"},
    {"end", "end"},          {"END", "end"},
    {"self", "self"},        {"kprobe", "kprobe"},
    {"k", "kprobe"},         {"kretprobe", "kretprobe"},
    {"kr", "kretprobe"},     {"fentry", "fentry"},
    {"f", "fentry"},         {"kfunc", "fentry"},
    {"fexit", "fexit"},      {"fr", "fexit"},
    {"kretfunc", "fexit"},   {"tracepoint", "tracepoint"},
    {"t", "tracepoint"},     {"rawtracepoint", "rawtracepoint"},
    {"rt", "rawtracepoint"}, {"uprobe", "uprobe"},
    {"u", "uprobe"},         {"uretprobe", "uretprobe"},
    {"ur", "uretprobe"},     {"usdt", "usdt"},
    {"U", "usdt"},           {"profile", "profile"},
    {"p", "profile"},        {"interval", "interval"},
    {"i", "interval"},       {"software", "software"},
    {"s", "software"},       {"hardware", "hardware"},
    {"h", "hardware"},       {"iter", "iter"},
    {"it", "iter"},          {"watchpoint", "watchpoint"},
    {"w", "watchpoint"},     {"asyncwatchpoint", "watchpoint"},
    {"bench", "bench"},      {"test", "test"},
};

constexpr std::array<std::string_view, 11> kAssignments = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

class Parser final : DefinitionParser {
 public:
  Parser(const Source &source, std::span<const std::string> parameters) : DefinitionParser(source, parameters) {}

  Program program() {
    Program program;
    while (peek().kind != Token::Kind::kEnd) {
      if (peek().is_name("config") && peek(1).is("="))
        settings(program);
      else if (begins_definition())
        define(program);
      else if (peek().is_name("let"))
        program.maps.push_back(map_declaration(program));
      else if (peek().is_name("macro"))
        program.macros.push_back(macro(program));
      else if (peek().is_name("fn"))
        program.routines.push_back(routine(program));
      else
        program.probes.push_back(probe());
    }
    if (program.probes.empty())
      throw source_.error({source_.text().size(), source_.text().size()},
                          "a program has at least one probe: kprobe:vfs_read { @ = count(); }");
    expand_macros(source_, program);
    return program;
  }

 private:
  void settings(Program &program) {
    if (!program.probes.empty()) throw error(peek(), "config stands before the first probe");
    take(), take();
    expect("{", "after config =");
    while (!accept("}")) {
      Setting setting = {.name = name("a setting"), .text = {}, .at = peek().at};
      expect("=", "after the name of a setting");
      const size_t from = peek().at.from;
      while (!peek().is(";") && !peek().is(",") && !peek().is("}") && peek().kind != Token::Kind::kEnd) take();
      setting.text = peek().kind == Token::Kind::kEnd ? "" : std::string(source_.at(since(from)));
      setting.at = since(from);
      if (peek().kind == Token::Kind::kEnd) throw error(peek(), "expected '}' at the end of config");
      program.settings.push_back(std::move(setting));
      if (!accept(";")) accept(",");
    }
    accept(";");
  }

  // Of the kernel's kinds of maps those that a program's maps are, anyway: by their values, kept on each CPU apart or
  // not. What is for the program to say is whether the oldest keys make room for new ones.
  MapDeclaration map_declaration(const Program &program) {
    constexpr std::string_view kKindsOfMaps[] = {"hash", "lruhash", "percpuhash", "percpulruhash", "percpuarray"};
    const size_t from = take().at.from;
    if (peek().kind != Token::Kind::kMap) throw error(peek(), "expected a map: let @name = lruhash(100);" + found());
    MapDeclaration made = {.name = take().text, .kind = {}, .keys = 0, .at = {}};
    expect("=", "after the name of a map");
    const Token &kind = peek();
    made.kind = name("a kind of map");
    if (std::ranges::find(kKindsOfMaps, made.kind) == std::end(kKindsOfMaps))
      throw error(kind, "no kind of map is called '" + printable(made.kind) + "'" + meant(made.kind, kKindsOfMaps) +
                            "; there are " + comma_list(kKindsOfMaps));
    expect("(", "before the number of keys");
    const Token &keys = peek();
    made.keys = constant("the number of keys");
    if (made.keys == 0 || made.keys > kMostMapKeys)
      throw error(keys, "a map has from 1 to " + std::to_string(kMostMapKeys) + " keys");
    expect(")", "behind the number of keys");
    made.at = since(from);
    if (std::ranges::any_of(program.maps, [&](const MapDeclaration &one) { return one.name == made.name; }))
      throw source_.error(made.at, "@" + made.name + " is declared twice");
    expect(";", "after the declaration of a map");
    return made;
  }

  Macro macro(const Program &program) {
    take();
    Macro made;
    const Token &token = peek();
    made.name = name("a macro");
    if (std::ranges::any_of(program.macros, [&](const Macro &one) { return one.name == made.name; }))
      throw error(token, "macro " + made.name + " is there twice");
    expect("(", "before the parameters of a macro");
    made.parameters = list(")", "after the parameters of a macro");
    for (const ExpressionPtr &one : made.parameters) {
      const bool bare = one->kind == Kind::kVariable || one->kind == Kind::kName || one->kind == Kind::kMap;
      if (!bare || !one->parts.empty())
        throw source_.error(one->at, "a parameter of a macro is $name, @name or a name");
    }
    made.body = block("of the macro");
    return made;
  }

  Routine routine(const Program &program) {
    take();
    Routine made;
    const Token &token = peek();
    made.name = name("a function");
    if (std::ranges::find(program.routines, made.name, &Routine::name) != program.routines.end() ||
        std::ranges::find(program.macros, made.name, &Macro::name) != program.macros.end())
      throw error(token, made.name + " is there twice");
    expect("(", "before the parameters of a function");
    while (!peek().is(")")) {
      made.parameters.push_back(primary());
      const ExpressionPtr &one = made.parameters.back();
      if (one->kind != Kind::kVariable) throw source_.error(one->at, "a parameter of a function is $name : type");
      if (std::ranges::count(made.parameters, one->text, [](const ExpressionPtr &each) { return each->text; }) > 1)
        throw source_.error(one->at, "parameter $" + one->text + " is there twice");
      expect(":", "before the type of a parameter");
      one->type_name = type_name("the parameter's type");
      if (!accept(",")) break;
    }
    expect(")", "after the parameters of a function");
    expect(":", "before the type that a function returns");
    made.result = type_name("the type that a function returns");
    made.body = block("of the function");
    return made;
  }

  // --- probes

  Probe probe() {
    Probe made;
    do {
      made.places.push_back(attach_point());
    } while (accept(","));
    if (peek().is("/")) {
      take();
      in_predicate_ = true;
      made.predicate = expression();
      in_predicate_ = false;
      expect("/", "at the end of the predicate");
    }
    made.body = block("of the probe");
    return made;
  }

  // Words of places have letters that elsewhere are operators; they end at a blank, or where a block begins.
  AttachPoint attach_point() {
    AttachPoint place;
    const size_t from = peek().at.from;
    bool first = true;
    // Tokens of a #define stand where its name is used.
    while (first || peek().at.from < tokens_[at_ - 1].at.to || (!peek().spaced && !ends_place())) {
      if (peek().kind == Token::Kind::kEnd || (first && ends_place()))
        throw error(peek(), "expected a probe, such as kprobe:vfs_read" + found());
      take();
      first = false;
    }
    place.at = since(from);
    place.text = source_.at(place.at);
    const size_t named = place.text.find('=');  // name=probe
    if (named != std::string::npos && place.text.find_first_of(":/$") > named) place.text.erase(0, named + 1);
    std::string words = place.text;
    expand_parameters(words);
    for (const std::string_view word : split(words, ':')) place.words.emplace_back(word);
    place.kind = probe_kind(place.words.front());
    if (place.kind.empty()) {
      std::vector<std::string_view> names;
      for (const KindName &one : kKinds) names.push_back(one.name);
      throw source_.error(place.at,
                          "no kind of probe is called '" + printable(place.words.front()) + "'" +
                              meant(place.words.front(), names) +
                              "; there are begin, end, kprobe, kretprobe, tracepoint, rawtracepoint, "
                              "uprobe, uretprobe, usdt, profile, interval, software, hardware, fentry, fexit, "
                              "iter, self, watchpoint");
    }
    place.words.erase(place.words.begin());
    if ((place.kind == "begin" || place.kind == "end") && !place.words.empty())
      throw source_.error(place.at, place.kind + " stands alone, with nothing behind it");
    return place;
  }

  void expand_parameters(std::string &words) const {
    for (size_t at = words.find('$'); at != std::string::npos; at = words.find('$', at)) {
      size_t end = at + 1;
      while (end < words.size() && words[end] >= '0' && words[end] <= '9') end++;
      if (end == at + 1) return;
      const std::string value = text_of_parameter(words.substr(at + 1, end - at - 1));
      words.replace(at, end - at, value);
      at += value.size();
    }
  }

  // uprobe:/bin/sh:main has slashes; a predicate's comes after a blank.
  [[nodiscard]] bool ends_place() const { return peek().is("{") || peek().is(","); }

  // --- statements

  Block block(const char *where) override {
    expect("{", (std::string("at the beginning of the block ") + where).c_str());
    const Depth depth(*this);
    Block statements;
    while (!accept("}")) {
      if (accept(";")) continue;
      if (peek().kind == Token::Kind::kEnd)
        throw error(peek(), std::string("expected '}' at the end of the block ") + where);
      statements.push_back(statement());
    }
    return statements;
  }

  Statement statement() {
    const size_t from = peek().at.from;
    Statement made = unplaced_statement();
    made.at = since(from);
    const bool has_body = !made.body.empty() || tokens_[at_ - 1].is("}");
    if (!has_body && !peek().is("}")) expect(";", "after a statement");
    return made;
  }

  Statement unplaced_statement() {
    using enum Statement::Kind;
    if (peek().is("{")) return {.kind = kBlock, .body = block("")};
    if (peek().is_name("if")) return if_statement();
    if (peek().is_name("while")) return loop(kWhile, "of while");
    if (peek().is_name("unroll")) return loop(kUnroll, "of unroll");
    if (peek().is_name("for")) return for_statement();
    if (peek().is_name("let")) return declaration();
    if (peek().is_name("return")) {
      take();
      Statement made = {.kind = kReturn};
      if (!peek().is(";") && !peek().is("}")) made.value = expression();
      return made;
    }
    if (peek().is_name("break") || peek().is_name("continue"))
      return {.kind = take().text == "break" ? kBreak : kContinue};
    return simple_statement();
  }

  Statement if_statement() {
    take();
    Statement made = {.kind = Statement::Kind::kIf, .value = expression()};
    made.body = block("of if");
    if (!peek().is_name("else")) return made;
    take();
    if (peek().is_name("if"))
      made.otherwise.push_back(if_statement());
    else
      made.otherwise = block("of else");
    return made;
  }

  Statement loop(Statement::Kind kind, const char *where) {
    take();
    expect("(", where);
    Statement made = {.kind = kind, .value = expression()};
    expect(")", where);
    made.body = block(where);
    return made;
  }

  Statement for_statement() {
    take();
    const bool parentheses = accept("(");
    Statement made = {.kind = Statement::Kind::kFor, .target = primary()};
    if (made.target->kind != Kind::kVariable)
      throw source_.error(made.target->at, "expected a variable after for: for ($i : 0..10)");
    expect(":", "after the variable of for");
    made.value = expression();
    if (accept("..")) made.end = expression();
    if (parentheses) expect(")", "of for");
    made.body = block("of for");
    return made;
  }

  Statement declaration() {
    take();
    Statement made = {.kind = Statement::Kind::kDeclare, .target = primary()};
    if (made.target->kind != Kind::kVariable) throw source_.error(made.target->at, "let declares a variable: let $x");
    if (accept(":")) made.target->type_name = type_name("the variable's type");
    if (accept("=")) made.value = expression();
    return made;
  }

  Statement simple_statement() {
    ExpressionPtr target = expression();
    for (const std::string_view symbol : kAssignments)
      if (peek().is(symbol)) return assignment(std::move(target));
    if (target->kind == Kind::kMap && accept(".")) return method(std::move(target));
    return {.kind = Statement::Kind::kExpression, .value = std::move(target)};
  }

  // `_ = value` has no use for it.
  Statement assignment(ExpressionPtr target) {
    if (target->kind == Kind::kName && target->text == "_" && accept("="))
      return {.kind = Statement::Kind::kExpression, .value = expression()};
    if (target->kind != Kind::kMap && target->kind != Kind::kVariable)
      throw source_.error(target->at, "only a variable ($x) or a map (@x) can be assigned to");
    Statement made = {.kind = Statement::Kind::kAssign, .text = take().text, .target = std::move(target)};
    made.value = expression();
    return made;
  }

  // ply's @[key].count(): the same as an assignment.
  Statement method(ExpressionPtr target) {
    ExpressionPtr call = primary();
    if (call->kind != Kind::kCall) throw source_.error(call->at, "expected count(), sum(n), quantize(n) or the like");
    if (call->text == "quantize") call->text = "hist";
    return {.kind = Statement::Kind::kAssign, .text = "=", .target = std::move(target), .value = std::move(call)};
  }
};

}  // namespace

std::string_view probe_kind(std::string_view word) {
  for (const KindName &one : kKinds)
    if (one.name == word) return one.whole;
  return "";
}

Program parse(const Source &source, std::span<const std::string> parameters) {
  return Parser(source, parameters).program();
}

}  // namespace strata::expr
