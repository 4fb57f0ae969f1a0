// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/macros.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;

constexpr unsigned kMostDepth = 50;
constexpr unsigned kMostLevels = 500;    // of trees, which are walked on the stack
constexpr size_t kMostCopies = 200'000;  // of trees; their programs would be too long for the kernel

class Expander {
 public:
  Expander(const Source &source, const Program &program)
      : source_(source), macros_(program.macros), routines_(program.routines) {}

  void block(Block &block) {
    for (Statement &one : block) statement(one);
  }

  void expression(ExpressionPtr &e) {
    if (!e) return;
    if (++level_ > kMostLevels) throw error(*e, "macros nest this too deeply");
    for (ExpressionPtr &part : e->parts) expression(part);
    if (e->type_name.of) typeof_value(e->type_name.of);
    block(e->body);
    if (const Macro *macro = macro_of(*e)) {
      e = value_of(*macro, *e);
      depth_++;
      expression(e);
      depth_--;
    } else if (const Routine *routine = routine_of(*e)) {
      e = call_of(*routine, *e);
      depth_++;
      block(e->body);
      depth_--;
    }
    level_--;
  }

 private:
  void typeof_value(std::shared_ptr<Expression> &of) {
    ExpressionPtr value = std::make_unique<Expression>(std::move(*of));
    expression(value);
    of = std::move(value);
  }

  // One use of a macro, or (nullptr) a call of a function, of whose body a copy is made.
  struct Use {
    const Macro *macro;
    const Expression &call;
    uint32_t scope;
  };

  [[nodiscard]] const Routine *routine_of(const Expression &e) const {
    if (e.kind != Kind::kCall) return nullptr;
    const auto at = std::ranges::find(routines_, e.text, &Routine::name);
    return at == routines_.end() ? nullptr : &*at;
  }

  // The kernel has functions of BPF programs since 5.10, which have neither the context nor the stack of who calls
  // them: each call is the body itself, whose parameters are variables of its own.
  ExpressionPtr call_of(const Routine &routine, Expression &call) {
    if (depth_ > kMostDepth) throw error(call, "fn " + routine.name + " comes to itself, or is nested too deeply");
    if (call.parts.size() != routine.parameters.size())
      throw error(call, "fn " + routine.name + " takes " + counted(routine.parameters.size()) + ", and here are " +
                            std::to_string(call.parts.size()));
    const Use use = {.macro = nullptr, .call = call, .scope = ++scopes_};
    auto made = std::make_unique<Expression>();
    made->kind = Kind::kRoutine;
    made->at = call.at;
    made->text = routine.name;
    made->type_name = routine.result;
    for (size_t i = 0; i < call.parts.size(); i++) {
      Statement parameter = {.kind = Statement::Kind::kDeclare, .at = call.parts[i]->at, .text = {}};
      parameter.target = copy(*routine.parameters[i], &use);
      parameter.value = std::move(call.parts[i]);
      made->body.push_back(std::move(parameter));
    }
    for (const Statement &one : routine.body) made->body.push_back(copy(one, &use));
    return made;
  }

  void statement(Statement &one) {
    if (++level_ > kMostLevels) throw source_.error(one.at, "macros nest this too deeply");
    statement_within(one);
    level_--;
  }

  void statement_within(Statement &one) {
    if (one.kind == Statement::Kind::kExpression) {
      if (const Macro *macro = macro_of(*one.value)) return become(one, *macro);
    }
    expression(one.target), expression(one.value), expression(one.end);
    block(one.body), block(one.otherwise);
  }

  // A statement has no value, so that the body may be any.
  void become(Statement &one, const Macro &macro) {
    const ExpressionPtr call = std::move(one.value);
    for (ExpressionPtr &part : call->parts) expression(part);
    one.kind = Statement::Kind::kBlock;
    one.body = copy_of_body(use_of(macro, *call));
    depth_++;
    block(one.body);
    depth_--;
  }

  [[nodiscard]] const Macro *macro_of(const Expression &e) const {
    if (e.kind != Kind::kCall && e.kind != Kind::kName) return nullptr;
    const auto at = std::ranges::find(macros_, e.text, &Macro::name);
    if (at == macros_.end() || (e.kind == Kind::kName && !at->parameters.empty())) return nullptr;
    return &*at;
  }

  Use use_of(const Macro &macro, const Expression &call) {
    if (depth_ > kMostDepth) throw error(call, "macro " + macro.name + " comes to itself, or is nested too deeply");
    if (call.parts.size() != macro.parameters.size())
      throw error(call, "macro " + macro.name + " takes " + counted(macro.parameters.size()) + ", and here are " +
                            std::to_string(call.parts.size()));
    for (size_t i = 0; i < call.parts.size(); i++) {
      const Expression &wanted = *macro.parameters[i], &given = *call.parts[i];
      if (wanted.kind == Kind::kMap && (given.kind != Kind::kMap || !given.parts.empty()))
        throw error(given, "macro " + macro.name + " takes a map here, as @" + wanted.text);
    }
    return {.macro = &macro, .call = call, .scope = ++scopes_};
  }
  static std::string counted(size_t parameters) {
    return std::to_string(parameters) + (parameters == 1 ? " argument" : " arguments");
  }

  ExpressionPtr value_of(const Macro &macro, const Expression &call) {
    const Use use = use_of(macro, call);
    if (macro.body.empty() || macro.body.back().kind != Statement::Kind::kExpression)
      throw error(call, "macro " + macro.name + " has no value: its last statement is none");
    if (macro.body.size() == 1) return copy(*macro.body[0].value, &use);
    auto made = std::make_unique<Expression>();
    made->kind = Kind::kBlock;
    made->at = call.at;
    made->body = copy_of_body(use);
    return made;
  }

  Block copy_of_body(const Use &use) {
    Block made;
    for (const Statement &one : use.macro->body) made.push_back(copy(one, &use));
    return made;
  }

  // Without a use: of an argument, as it stands.
  ExpressionPtr copy(const Expression &e, const Use *use) {
    if (++copies_ > kMostCopies) throw error(e, "macros make this program too long for the kernel");
    const bool of_macro = use != nullptr && use->macro != nullptr;
    if (of_macro)
      if (const Expression *argument = argument_of(e, *use)) {
        ExpressionPtr made = copy(*argument, nullptr);
        for (const ExpressionPtr &part : e.parts) made->parts.push_back(copy(*part, use));
        return made;
      }
    auto made = std::make_unique<Expression>();
    made->kind = e.kind;
    made->at = of_macro ? use->call.at : e.at;
    made->text = e.text;
    made->number = e.number;
    made->type_name = e.type_name;
    if (e.type_name.of) made->type_name.of = copy(*e.type_name.of, use);
    made->names = e.names;
    made->scope = use != nullptr && e.kind == Kind::kVariable ? use->scope : e.scope;
    for (const ExpressionPtr &part : e.parts)
      made->parts.push_back(e.kind == Kind::kStep ? copy_of_place(*part, use) : copy(*part, use));
    for (const Statement &one : e.body) made->body.push_back(copy(one, use));
    return made;
  }

  // What gets a value: where it is a parameter, a variable was to be given for it.
  ExpressionPtr copy_of_place(const Expression &e, const Use *use) {
    ExpressionPtr made = copy(e, use);
    if (e.kind == Kind::kVariable && made->kind != Kind::kVariable)
      throw error(*made, "macro " + use->macro->name + " gives $" + e.text + " a value: it takes a variable here");
    return made;
  }

  // Of a map with a key, the map.
  const Expression *argument_of(const Expression &e, const Use &use) {
    for (size_t i = 0; i < use.call.parts.size(); i++) {
      const Expression &parameter = *use.macro->parameters[i];
      if (parameter.kind == e.kind && parameter.text == e.text) return use.call.parts[i].get();
    }
    if (e.kind == Kind::kMap)
      throw error(use.call, "macro " + use.macro->name + " uses @" + e.text +
                                ", which it has to be given: " + use.macro->name + "(@" + e.text + ")");
    return nullptr;
  }

  Statement copy(const Statement &one, const Use *use) {
    const bool of_macro = use != nullptr && use->macro != nullptr;
    Statement made = {.kind = one.kind, .at = of_macro ? use->call.at : one.at, .text = one.text};
    if (one.target) made.target = copy_of_place(*one.target, use);
    if (one.value) made.value = copy(*one.value, use);
    if (one.end) made.end = copy(*one.end, use);
    for (const Statement &each : one.body) made.body.push_back(copy(each, use));
    for (const Statement &each : one.otherwise) made.otherwise.push_back(copy(each, use));
    return made;
  }

  [[nodiscard]] Error error(const Expression &e, const std::string &what) const { return source_.error(e.at, what); }

  const Source &source_;
  const std::vector<Macro> &macros_;
  const std::vector<Routine> &routines_;
  uint32_t scopes_ = 0;
  unsigned depth_ = 0, level_ = 0;
  size_t copies_ = 0;
};

}  // namespace

void expand_macros(const Source &source, Program &program) {
  if (program.macros.empty() && program.routines.empty()) return;
  Expander expander(source, program);
  for (Probe &one : program.probes) {
    expander.expression(one.predicate);
    expander.block(one.body);
  }
}

}  // namespace strata::expr
