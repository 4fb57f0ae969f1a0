// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the names of a program mean at one place, and of what type each value is. Maps have their types of the first
// value that is put into them, wherever that stands, so the check is made until nothing new is found.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/ast.h"
#include "expr/plan.h"
#include "expr/types.h"

namespace strata::expr {

struct Variable {
  Type type;
  bool declared = false;
  bool typed = false;  // declared with its type
};

class Check {
 public:
  Check(const Source &source, Types &types, Plan &plan, const Circumstances &circumstances)
      : source_(source), types_(types), plan_(plan), circumstances_(circumstances) {}

  // True: something new is known of a map. `last`: what is not known now is an error, and records are numbered.
  bool probe(Probe &probe, const Target &target, bool last);
  [[nodiscard]] const std::vector<Variable> &variables() const { return variables_; }
  [[nodiscard]] size_t predicate_variables() const { return predicate_variables_; }  // the first ones
  // Of the probe that was looked at:
  [[nodiscard]] bool wants_user_stack() const { return wants_user_stack_; }
  [[nodiscard]] bool loops() const { return loops_; }  // through a map

 private:
  using Call = void (Check::*)(Expression &);
  using Names = std::map<std::string, uint32_t>;  // of variables
  struct Builtin {
    std::string_view name;
    Call check;
    size_t least, most;
    const char *usage;
  };
  static const std::vector<Builtin> &calls();

  void look_at(Probe &probe);
  void block(Block &block);
  void scope(Block &inner);
  void leave(const Names &outside);
  void branches(Statement &statement);
  void statement(Statement &statement);
  void look_through(Statement &statement);
  void body_of_loop(Block &body);
  void loop_with(Statement &statement, Type type);
  [[nodiscard]] bool may_be_called(const Statement &one) const;
  void loop_by_helper(Statement &statement, Type type);
  void assign(Statement &statement);
  void assign_map(Statement &statement);
  void want_room(const Expression &target, const Expression &value) const;
  void learn_variable(Expression &target, const Type &value, const Expression &from);
  void visit(Expression &e);
  void visit_parts(Expression &e);
  void visit_value(ExpressionPtr &e);
  void as_string(ExpressionPtr &e);
  void visit_name(Expression &e);
  bool visit_argument(Expression &e);
  void visit_variable(Expression &e);
  static void take_enumerator(Expression &e, const Enumerator &enumerator);
  void visit_map(Expression &e);
  void visit_call(Expression &e);
  void visit_field(Expression &e);
  void visit_index(Expression &e);
  void visit_part(Expression &e);
  static void take_part(Expression &e, uint64_t index);
  void become_tuple(Expression &e);
  Type named_type(Expression &e, Space space = Space::kUnknown);
  void visit_unary(Expression &e);
  void visit_address_of(Expression &e);
  void visit_binary(Expression &e);
  void visit_choice(Expression &e);
  void visit_cast(Expression &e);
  void visit_string_cast(Expression &e, Type type);
  void visit_size(Expression &e);
  void visit_offset(Expression &e);
  void become_array(Expression &e, Type type);
  void visit_step(Expression &e);
  void visit_block(Expression &e);
  void visit_routine(Expression &e, bool is_statement);
  void return_from_routine(Statement &one);
  void want_no_value_around(const Expression &e) const;
  static std::string scoped(const Expression &variable);
  bool fold(Expression &e);

  void check_aggregation(Expression &e, const Type &type, Expression &target);
  void check_hist(Expression &e, MapPlan &map);
  void check_lhist(Expression &e, MapPlan &map);
  void check_series(Expression &e, MapPlan &map);
  void visit_shown(ExpressionPtr &e);
  void visit_arguments(Expression &e);
  void want_arguments(const Expression &e) const;
  void compare_tuples(Expression &e) const;
  Type shown_type(const Expression &e);  // in a record to user space, a map or a tuple
  static Type where_it_lies(const Type &type);
  void complete(const Type &type);
  void check_printf(Expression &e);
  void check_print(Expression &e);
  void check_map_call(Expression &e);
  void check_delete(Expression &e);
  void check_has_key(Expression &e);
  void cut_text(Expression &e);
  void check_str(Expression &e);
  void check_str_of_string(Expression &e);
  [[nodiscard]] uint32_t most_of(const Type &from) const;
  [[nodiscard]] Type string_at(const Type &from) const;
  void check_buf(Expression &e);
  void check_symbol(Expression &e);
  void check_ntop(Expression &e);
  void check_mac(Expression &e);
  void check_number_call(Expression &e);
  void check_strncmp(Expression &e);
  void check_reg(Expression &e);
  void check_strftime(Expression &e);
  void check_pointer_call(Expression &e);
  void check_time(Expression &e);
  void check_exit(Expression &e);
  void check_comm(Expression &e);
  void check_task(Expression &e);
  void check_parent(Expression &e);
  void check_nsecs(Expression &e);
  void check_len(Expression &e);
  void check_strcontains(Expression &e);
  void check_number_name(Expression &e);
  void check_cgroup(Expression &e);
  void check_found(Expression &e);
  void want_pinned_call(const Expression &e) const;
  void check_uaddr(Expression &e);
  void check_pton(Expression &e);
  void check_signal(Expression &e);
  void check_override(Expression &e);
  [[nodiscard]] bool is_typed_argument(const Expression &e) const;
  void check_path(Expression &e);
  void check_socket(Expression &e);
  void check_join(Expression &e);
  void check_getopt(Expression &e);
  void check_strlen(Expression &e);
  void check_memcmp(Expression &e);
  void check_find(Expression &e);
  [[nodiscard]] std::string said_at(const Expression &e, std::string_view what, const std::string &format) const;
  void check_assert(Expression &e);
  void check_static_assert(Expression &e);
  void check_fail(Expression &e);
  void check_is(Expression &e);
  void check_is_error(Expression &e);
  void check_capacity(Expression &e);
  void check_text(Expression &e);
  void check_kfunc(Expression &e);
  static bool is_name_of_value(std::string_view name);  // that is called as well: comm()
  [[nodiscard]] std::optional<std::string> parameter(const std::string &option) const;
  void check_stack(Expression &e);
  void visit_stack(Expression &e);
  [[nodiscard]] const std::string *name_of_place(const Expression &e) const;  // of probe and func; else nullptr
  void as_place(Expression &e) const;

  void want_number(const Expression &e, const char *where) const;
  uint64_t want_constant(const Expression &e, const char *where) const;
  void want_text(const Expression &e, const char *where) const;
  uint32_t add_room(const Type &type);
  void widen_variable(uint32_t index, const Type &value);
  uint32_t map_index(const Expression &e);
  uint32_t map_as_whole(Expression &e);
  void learn_map(MapPlan &map, const Type &value, const Expression &e);
  bool learn_key(uint32_t map, Expression &e);  // false: it is not known yet
  uint32_t add_action(Action action);
  [[nodiscard]] Error error(const Expression &e, const std::string &what) const { return source_.error(e.at, what); }

  const Source &source_;
  Types &types_;
  Plan &plan_;
  const Circumstances &circumstances_;
  const Target *target_ = nullptr;
  unsigned block_values_ = 0;            // that the statement is within, of its function
  const Expression *routine_ = nullptr;  // whose body it is in
  bool within_value_ = false;            // where that is called
  bool by_helper_ = false;               // calls the body of the loop that it is in
  bool has_while_ = false;               // of the probe
  unsigned loops_within_ = 0;            // of the block that is a value
  bool last_ = false, changed_ = false, in_predicate_ = false, wants_user_stack_ = false, loops_ = false;
  Names names_, beside_;                     // beside: of the first branch, in the second
  std::set<std::string> gone_;               // with the block that they were known in
  std::set<uint32_t> printed_;               // maps, on each way to the statement
  std::vector<Variable> variables_, known_;  // known: of the round before
  size_t predicate_variables_ = 0;
};

}  // namespace strata::expr
