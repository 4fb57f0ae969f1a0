// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/check.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "expr/uses.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

// The args of one place have other types than those of the next.
std::string name_beside(const Type &type, const Type &other) {
  return name_of(type) + (name_of(type) == name_of(other) ? " of other types" : "");
}

}  // namespace

// What a variable holds below decides what it is above: its type is that of the round before, until none grows.
bool Check::probe(Probe &probe, const Target &target, bool last) {
  constexpr int kMostRounds = 16;
  target_ = &target;
  types_.look_into(target.program);
  changed_ = last_ = false;
  known_.clear();
  for (int round = 0; round < kMostRounds; round++) {
    look_at(probe);
    const bool same = std::equal(variables_.begin(), variables_.end(), known_.begin(), known_.end(),
                                 [](const Variable &a, const Variable &b) { return alike(a.type, b.type); });
    known_ = variables_;
    if (same) break;
  }
  last_ = last;
  if (last) look_at(probe);
  return changed_;
}

void Check::look_at(Probe &probe) {
  block_values_ = 0;
  has_while_ = uses_of(probe).whiles;
  routine_ = nullptr;
  within_value_ = by_helper_ = false;
  loops_within_ = 0;
  names_.clear();
  beside_.clear();
  gone_.clear();
  variables_.clear();
  wants_user_stack_ = loops_ = false;
  if (probe.predicate) {
    in_predicate_ = true;
    visit(*probe.predicate);
    want_number(*probe.predicate, "a predicate");
    in_predicate_ = false;
  }
  predicate_variables_ = variables_.size();
  block(probe.body);
}

void Check::block(Block &block) {
  const std::set<uint32_t> printed = printed_;
  for (Statement &one : block) statement(one);
  printed_ = printed;
}

void Check::statement(Statement &one) {
  using enum Statement::Kind;
  switch (one.kind) {
    case kExpression:
      if (one.value->kind == Kind::kRoutine) return visit_routine(*one.value, true);
      return visit(*one.value);
    case kAssign:
      return assign(one);
    case kDeclare: {
      const auto [at, is_new] = names_.try_emplace(scoped(*one.target), variables_.size());
      if (!is_new) throw error(*one.target, "$" + one.target->text + " is already there");
      variables_.push_back({.type = {}, .declared = true});
      one.target->index = at->second;
      if (one.target->type_name.given()) {
        const size_t own = variables_.size() - 1;  // what typeof() looks at may have some, too
        Type type = named_type(*one.target);
        variables_[own].type = std::move(type);
        variables_[own].typed = true;
      }
      if (one.value) assign(one);
      return;
    }
    case kIf:
    case kWhile:
      visit(*one.value);
      want_number(*one.value, "a condition");
      if (const Block *known = known_branch(one); known != nullptr) {
        // Of two branches the other one is not looked at, and may give the same variables their values.
        auto &branch = const_cast<Block &>(*known);
        return one.otherwise.empty() ? scope(branch) : block(branch);
      }
      return one.kind == kWhile ? body_of_loop(one.body) : branches(one);
    case kUnroll:
      visit(*one.value);
      if (const uint64_t n = want_constant(*one.value, "unroll()"); n > 100)
        throw error(*one.value, "unroll() repeats at most 100 times");
      else if (n == 0)
        throw error(*one.value, "unroll() repeats at least once");
      return scope(one.body);
    case kFor:
      if (!one.end) return look_through(one);
      visit(*one.value), visit(*one.end);
      want_number(*one.value, "the beginning of a range"), want_number(*one.end, "the end of a range");
      one.called = !(one.value->constant && one.end->constant) && may_be_called(one);
      return one.called ? loop_by_helper(one, int_type()) : loop_with(one, int_type());
    case kReturn:
      if (block_values_ > 0) throw source_.error(one.at, "nothing leaves a block that is a value");
      if (routine_ != nullptr) return return_from_routine(one);
      if (one.value) visit(*one.value);
      return;
    case kBlock:
      return scope(one.body);
    case kBreak:
    case kContinue:
      if (block_values_ > 0 && loops_within_ == 0)
        throw source_.error(one.at, "nothing leaves a block that is a value");
      return;
  }
}

// `for ($kv : @map)`: $kv.0 is the key, and $kv.1 the value, one by one.
void Check::look_through(Statement &one) {
  Expression &of = *one.value;
  if (of.kind != Kind::kMap || !of.parts.empty())
    throw error(of, "for goes through a range, such as 0..10, or through a map, @name");
  MapPlan &map = plan_.maps[map_as_whole(of)];
  map.is_read = true;
  if (map.key.empty() && (last_ || map.value.known())) throw error(of, "@" + map.name + " has no keys to go through");
  if (map.value.kind >= TypeKind::kStats)
    throw error(of, "@" + map.name + " is " + name_of(map.value) + ", which is no single value; print(@) shows it");
  const Type value = map.value.is_aggregate() ? int_type(8, map.value.is_signed) : map.value;
  Type pair = map.value.known() ? tuple_of({map.key.size() == 1 ? map.key[0] : tuple_of(map.key), value}) : Type{};
  one.called = true;
  loop_by_helper(one, std::move(pair));
}

// Where the verifier sees the end, as of 0..($n & 7), the body may stay what it is: in the midst of a function of the
// program that returns from there, and beside a while, whose end it would not see any more, as variables are elsewhere
// then.
bool Check::may_be_called(const Statement &one) const {
  if (has_while_ || (routine_ != nullptr && uses_of(one.body).returns)) return false;
  return circumstances_.ranges && circumstances_.ranges();
}

// Whose body is a function.
void Check::loop_by_helper(Statement &one, Type type) {
  loops_ = true;
  one.stays = within_value_ || block_values_ > 0;
  const bool before = std::exchange(by_helper_, true);
  loop_with(one, std::move(type));
  by_helper_ = before;
}

// The variable of a loop is known within it alone.
void Check::loop_with(Statement &one, Type type) {
  auto before = names_.extract(scoped(*one.target));
  one.target->index = add_room(type);
  one.target->type = std::move(type);
  names_[scoped(*one.target)] = one.target->index;
  body_of_loop(one.body);
  names_.erase(scoped(*one.target));
  names_.insert(std::move(before));
}

// A record that is half written could not be left behind: see Generator::send().
void Check::visit_block(Expression &e) {
  const Names outside = names_;
  const unsigned loops = std::exchange(loops_within_, 0);
  block_values_++;
  block(e.body);
  block_values_--;
  loops_within_ = loops;
  leave(outside);
  e.type = e.body.back().value->type;
}

// Of a macro's own variables, by each use of it.
std::string Check::scoped(const Expression &variable) {
  return variable.scope == 0 ? variable.text : variable.text + "#" + std::to_string(variable.scope);
}

// --- assignments

void Check::assign(Statement &one) {
  if (one.target->kind == Kind::kMap) return assign_map(one);
  visit_value(one.value);
  if (one.value->type.is_aggregate())
    throw error(*one.value, "an aggregation is the value of a map: @ = " + one.value->text + "(...)");
  const bool changes = one.text != "=" && !one.text.empty();
  if (changes && !names_.contains(scoped(*one.target)))
    throw error(*one.target, "$" + one.target->text + " has no value yet");
  const Type &value = one.value->type;
  if (!changes) want_room(*one.target, *one.value);
  learn_variable(*one.target, changes && value.is_enum() ? int_type() : value, *one.value);
  if (changes) want_number(*one.value, "this assignment");
}

// In a variable whose type the program gives.
void Check::want_room(const Expression &target, const Expression &value) const {
  const auto at = names_.find(scoped(target));
  if (at == names_.end() || !variables_[at->second].typed || !value.constant) return;
  const Type &type = variables_[at->second].type;
  if (!type.is(TypeKind::kInt) || type.is_bool || type.size >= 8) return;
  const auto number = static_cast<int64_t>(value.number);
  const unsigned bits = type.size * 8 - (type.is_signed ? 1 : 0);
  if (number >= int64_t{1} << bits || number < (type.is_signed ? -(int64_t{1} << bits) : 0))
    throw error(value,
                "$" + target.text + " is " + name_of(type) + ", which has no room for " + std::to_string(number));
}

void Check::learn_variable(Expression &target, const Type &value, const Expression &from) {
  const auto beside = names_.contains(scoped(target)) ? beside_.end() : beside_.find(scoped(target));
  const bool same = beside != beside_.end() && (!value.known() || !variables_[beside->second].type.known() ||
                                                fits(value, variables_[beside->second].type));
  const auto [at, is_new] =
      names_.try_emplace(scoped(target), same ? beside->second : static_cast<uint32_t>(variables_.size()));
  if (is_new && !same)
    variables_.push_back({.type = variables_.size() < known_.size() ? known_[variables_.size()].type : Type{}});
  target.index = at->second;
  Type &type = variables_[at->second].type;
  if (!type.known()) type = value;
  if (value.known() && !fits(value, type))
    throw error(from, "$" + target.text + " is " + name_of(type) + ", and this is " + name_of(value));
  widen_variable(at->second, value);
  target.type = type;
}

// A type that the program gives to a number stays; a number of an enum that is computed with is a number.
void Check::widen_variable(uint32_t index, const Type &value) {
  Variable &variable = variables_[index];
  if (!variable.declared || !variable.type.is(TypeKind::kInt)) return widen(variable.type, value);
  if (!variable.typed && variable.type.is_enum() && value.known() && variable.type.name != value.name)
    variable.type = int_type();
}

void Check::assign_map(Statement &one) {
  const uint32_t index = map_index(*one.target);
  if (!learn_key(index, *one.target) && !last_) return;  // a map with a value and no key would be one without keys
  const TypeKind kind = one.value->kind == Kind::kCall ? aggregation(one.value->text) : TypeKind::kNone;
  if (kind != TypeKind::kNone) {
    if (one.text != "=") throw error(*one.value, one.value->text + "() is assigned by =");
    return check_aggregation(*one.value, of_kind(kind), *one.target);
  }
  visit_value(one.value);
  const Expression &value = *one.value;
  MapPlan &map = plan_.maps[index];
  if (map.value.is_aggregate())
    throw error(value, "@" + map.name + " is " + name_of(map.value) + ", which takes no plain value");
  if (one.text == "=") {
    learn_map(map, shown_type(value), value);
  } else {
    want_number(value, "this assignment");
    learn_map(map, int_type(), value);
    map.adds = true;
  }
  one.target->type = map.value;
}

void Check::check_aggregation(Expression &e, const Type &type, Expression &target) {
  MapPlan &map = plan_.maps[target.index];
  for (const ExpressionPtr &part : e.parts) visit(*part);
  const bool bare = type.is(TypeKind::kCount);
  const bool linear = type.is(TypeKind::kLinear), series = type.is(TypeKind::kSeries);
  const size_t least = bare ? 0 : linear ? 4 : series ? 3 : 1;
  const size_t most = type.is(TypeKind::kHistogram) ? 2 : series ? 4 : least;
  if (e.parts.size() < least || e.parts.size() > most)
    throw error(e, bare     ? "count() takes nothing"
                   : linear ? "lhist() takes a value, the least, the greatest and a step"
                   : series ? "tseries() takes a value, an interval, how many of them, and what it makes of the values"
                            : e.text + "() takes a number");
  if (!bare) want_number(*e.parts[0], (e.text + "()").c_str());
  Type made = type;
  if (!bare) made.is_signed = e.parts[0]->type.is_signed;
  learn_map(map, made, e);
  if (type.is(TypeKind::kHistogram)) check_hist(e, map);
  if (linear) check_lhist(e, map);
  if (series) check_series(e, map);
  e.type = made;
  target.type = map.value;
}

void Check::check_hist(Expression &e, MapPlan &map) {
  constexpr uint64_t kMostBits = 5;
  const uint64_t bits = e.parts.size() == 2 ? want_constant(*e.parts[1], "the bits of hist()") : 0;
  if (bits > kMostBits)
    throw error(*e.parts[1], "hist() divides each power of 2 into at most 32 buckets, by 0 to 5 bits");
  if (map.buckets != 0 && map.bits != bits)
    throw error(
        e, "@" + map.name + " has " + std::to_string(map.bits) + " bits elsewhere, and here " + std::to_string(bits));
  map.bits = static_cast<uint32_t>(bits);
  map.buckets = ((65 - map.bits) << map.bits) + 1;
}

void Check::check_lhist(Expression &e, MapPlan &map) {
  map.low = want_constant(*e.parts[1], "the least of lhist()");
  map.high = want_constant(*e.parts[2], "the greatest of lhist()");
  map.step = want_constant(*e.parts[3], "the step of lhist()");
  const auto low = static_cast<int64_t>(map.low), high = static_cast<int64_t>(map.high);
  if (static_cast<int64_t>(map.step) <= 0) throw error(*e.parts[3], "the step of lhist() is above 0");
  if (high <= low) throw error(*e.parts[2], "the greatest of lhist() is above the least");
  const uint64_t steps = (map.high - map.low + map.step - 1) / map.step;
  if (steps > 1000) throw error(e, "lhist() has at most 1000 buckets, and these are " + std::to_string(steps));
  map.buckets = static_cast<uint32_t>(steps) + 2;
}

void Check::check_series(Expression &e, MapPlan &map) {
  constexpr uint64_t kMost = 10'000;
  constexpr std::pair<std::string_view, Fold> kFolds[] = {
      {"avg", Fold::kAverage}, {"min", Fold::kMin}, {"max", Fold::kMax}, {"sum", Fold::kSum}};
  const uint64_t step = want_constant(*e.parts[1], "the interval of tseries()");
  const uint64_t intervals = want_constant(*e.parts[2], "the number of intervals of tseries()");
  if (step == 0 || step > INT64_MAX) throw error(*e.parts[1], "the interval of tseries() is above 0: 100ms");
  if (intervals == 0 || intervals > kMost) throw error(*e.parts[2], "tseries() has 1 to 10000 intervals");
  Fold fold = Fold::kLast;
  if (e.parts.size() == 4) {
    const auto *known = std::ranges::find(kFolds, e.parts[3]->text, &std::pair<std::string_view, Fold>::first);
    if (e.parts[3]->kind != Kind::kString || known == std::end(kFolds))
      throw error(*e.parts[3], "of the values of an interval tseries() makes \"avg\", \"min\", \"max\" or \"sum\"");
    fold = known->second;
  }
  if (map.buckets != 0 && (map.step != step || map.buckets != intervals || map.fold != fold))
    throw error(e, "@" + map.name + " has other intervals elsewhere, or makes something else of their values");
  map.step = step;
  map.buckets = static_cast<uint32_t>(intervals);
  map.fold = fold;
}

uint32_t Check::map_index(const Expression &e) {
  auto &maps = plan_.maps;
  const auto at = std::find_if(maps.begin(), maps.end(), [&](const MapPlan &map) { return map.name == e.text; });
  const_cast<Expression &>(e).index = static_cast<uint32_t>(at - maps.begin());
  if (at != maps.end()) return e.index;
  const auto declared = std::ranges::find(plan_.declared, e.text, &MapPlan::name);
  maps.push_back(declared != plan_.declared.end() ? *declared
                                                  : MapPlan{.name = e.text, .keys = plan_.settings.map_keys});
  return e.index;
}

void Check::learn_map(MapPlan &map, const Type &value, const Expression &e) {
  if (!value.known()) return;
  if (map.value.known() && !fits(value, map.value))
    throw error(e, "@" + map.name + " is " + name_of(map.value) + ", and this is " + name_beside(value, map.value));
  Type both = map.value;
  widen(both, value);
  if (alike(both, map.value)) return;
  map.value = std::move(both);
  changed_ = true;
}

bool Check::learn_key(uint32_t index, Expression &e) {
  std::vector<Type> key;
  for (ExpressionPtr &part : e.parts) {
    visit_value(part);
    if (part->type.is_aggregate()) throw error(*part, name_of(part->type) + " cannot be a key");
    const size_t i = key.size();
    const std::vector<Type> &known = plan_.maps[index].key;
    if (i >= known.size() || known[i].is(TypeKind::kPlaceName)) as_place(*part);
    key.push_back(shown_type(*part));
  }
  MapPlan &map = plan_.maps[index];  // a key may have a map in it, which is new
  if (key.size() == 1 && key[0].is(TypeKind::kTuple) && key[0].record == nullptr) key = std::vector<Type>(key[0].parts);
  if (std::ranges::any_of(key, [](const Type &type) { return !type.known(); })) return false;
  if (map.key.empty() && !map.value.known()) {
    map.key = key;
    changed_ = changed_ || !key.empty();
  }
  if (key.size() != map.key.size())
    throw error(e, "@" + map.name + " has a key of " + std::to_string(map.key.size()) +
                       " values elsewhere, and here of " + std::to_string(key.size()));
  for (size_t i = 0; i < key.size(); i++) {
    if (map.key[i].is(TypeKind::kPlaceName) && key[i].is(TypeKind::kString)) {
      map.key[i] = key[i];  // other strings, too: then all are
      changed_ = true;
    }
    if (!fits(key[i], map.key[i]))
      throw error(e, "the key of @" + map.name + " has " + name_of(map.key[i]) + " elsewhere, and here " +
                         name_beside(key[i], map.key[i]));
    Type both = map.key[i];
    widen(both, key[i]);
    if (alike(both, map.key[i])) continue;
    map.key[i] = std::move(both);
    changed_ = true;
  }
  return true;
}

// A variable that the program has no name for.
uint32_t Check::add_room(const Type &type) {
  variables_.push_back({.type = type, .declared = true});
  return static_cast<uint32_t>(variables_.size() - 1);
}

uint32_t Check::add_action(Action action) {
  if (!last_) return 0;
  const auto known = std::ranges::find(plan_.actions, action);  // of another place
  if (known != plan_.actions.end()) return static_cast<uint32_t>(known - plan_.actions.begin());
  plan_.actions.push_back(std::move(action));
  return static_cast<uint32_t>(plan_.actions.size() - 1);
}

void Check::want_number(const Expression &e, const char *where) const {
  if (!e.type.known() && !last_) return;
  if (e.type.is_number()) return;
  throw error(e, std::string(where) + " is a number, not " + name_of(e.type));
}

void Check::want_text(const Expression &e, const char *where) const {
  if (e.kind != Kind::kString) throw error(e, std::string(where) + " is a string of the program: \"...\"");
}

uint64_t Check::want_constant(const Expression &e, const char *where) const {
  if (!e.constant) throw error(e, std::string(where) + " must be known before the program runs");
  return e.number;
}

}  // namespace strata::expr
