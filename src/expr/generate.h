// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A checked probe to BPF instructions.
//
// R6 is the context; a value comes in R0; R7 to R9 and then the stack hold what is needed later. What is longer than 8
// bytes (strings, keys, tuples) is written where it is to go: on the stack, in a record of the ring buffer, which is
// reserved first, or in memory of its CPU, where the stack has no room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/assembler.h"
#include "expr/ast.h"
#include "expr/check.h"
#include "expr/plan.h"

namespace strata::expr {

class Generator {
 public:
  Generator(const Source &source, Plan &plan, const Circumstances &circumstances)
      : source_(source), plan_(plan), circumstances_(circumstances) {}

  // Of the program, and the cookie of its place; `shares`: of several, which it asks for.
  struct Numbers {
    uint32_t program = 0;
    uint64_t cookie = 0;
    bool shares = false;
  };
  Code code_of(const Probe &probe, const Target &target, const Check &checked, const Numbers &numbers);

 private:
  using Label = Assembler::Label;

  // Where a value lies: from an offset of the frame, of the scratch memory, or of what a slot of the frame points to.
  struct Place {
    enum class Base : uint8_t { kFrame, kSlot };
    Base base = Base::kFrame;
    int slot = 0;  // of the frame
    int offset = 0;
    [[nodiscard]] Place at(uint32_t bytes) const { return {base, slot, offset + static_cast<int>(bytes)}; }
  };
  struct Temporary {
    int reg = -1;  // or else
    int slot = 0;
  };
  struct Mark {
    uint32_t frame, scratch;
  };

  struct Callback {
    Label body;
    const Statement *loop;  // nullptr: it does nothing
    Place ended;            // of the loop: not 0 where its body left the probe
    Place first;            // of a range
    Mark before;
  };

  enum class Part : uint8_t { kWhole, kBeforeWalk, kAfterWalk };
  Half half_of(const Probe &probe, Part part, Code &code);
  void generate(const Probe &probe, Part part, bool scratch);
  void filter(const Probe &probe);
  void begin_iteration(const Probe &probe);
  void make_variables(size_t count);
  [[nodiscard]] bool deletes_key(const Expression &call) const;
  bool sends_records(const Block &block) const;
  bool sends_records(const Expression &e) const;
  void take_scratch();
  void give_scratch();

  // Statements.
  void block(const Block &block);
  void statement(const Statement &one);
  void statements_of(const Expression &block);
  void run_routine(const Expression &e);
  void return_from_routine(const Statement &one);
  void assign(const Statement &one);
  void assign_variable(const Statement &one);
  void loop(const Statement &one);
  void count_through(const Statement &one);
  void by_helper(const Statement &one);
  void number_of_turns(const Statement &one, Place first, Label none);
  void take_pair(const Statement &one);
  void count_keys(const Expression &map);
  void call_back(const Callback &one);
  void want_loops(Span at) const;
  void copy_from(int reg, Place to, uint32_t bytes);

  // Values.
  void value(const Expression &e);                               // into R0; of a struct or an array, its address
  void value_to(const Expression &e, Place to, const Type &as);  // whole, with zeros behind
  void value_of_name(const Expression &e);
  void argument(uint32_t index, const Type &type);
  void operand(const Operand &one);
  void task(bool first_namespace);  // tgid << 32 | tid
  void time_now(uint64_t clock);
  void kernel_stack();
  void kernel_stack_length(uint32_t most);
  void user_stack_length(const Expression &of);
  void find_walk();
  void leave_walk();
  void walk();
  void take_walked();
  void value_of_field(const Expression &e);
  void value_of_unary(const Expression &e);
  void value_of_binary(const Expression &e);
  void value_of_step(const Expression &e);
  void value_of_call(const Expression &e);
  void value_of_function(const Expression &e);
  void address_bytes(const Expression &e);
  void user_address(const Expression &e);
  void length(const Expression &of);
  void string_length(Place place, uint32_t bytes);
  void find_string(const Expression &e);
  void find_literal(const std::string &text, const Expression &in, bool where);
  void find_any(const Expression &needle, const Expression &in, bool where);
  void end_search(Label found, bool where);
  void compare_bytes(const Expression &e);
  void join(const Expression &e);
  void require(const Expression &e);
  void end_run();
  void arithmetic(const std::string &op, const Expression &e);
  void divide(bool modulo, bool is_signed);
  static uint32_t bytes_of_step(const Type &type);
  uint32_t address(const Expression &e);                   // R0, to which what is returned has yet to be added
  void read(const Type &type, uint32_t offset);            // at R0, into R0
  static constexpr uint32_t kSizeInRegister = UINT32_MAX;  // R2 has it
  void probe_read(Space space, bool string, uint32_t bytes, Place to);  // from R0
  void branch(const Expression &e, bool when, Label to);
  void compare(const Expression &e, bool when, Label to);
  void compare_strings(const Expression &a, const Expression &b, uint32_t most, bool when_equal, Label to);
  void compare_arrays(const Expression &a, const Expression &b, bool when_equal, Label to);
  void compare_tuples(const Expression &a, const Expression &b, bool when_equal, Label to);
  void compare_parts(const Type &a, Place at, const Type &b, Place with, Label unequal);
  void compare_memory(Place a, Place b, uint32_t bytes, Label unequal);
  bool fits_number(const Expression &e, int32_t &number) const;

  void string_to(const Expression &e, Place to, uint32_t bytes);
  void literal_to(std::string_view text, Place to, uint32_t bytes);
  void call_to(const Expression &e, Place to, const Type &as);
  void typed_argument(const Expression &e);
  void path_to(const Expression &e, Place to, uint32_t bytes);
  void call_kernel(const Expression &e);
  void str_to(const Expression &e, Place to, uint32_t bytes);
  void mark_cut(Place to, uint32_t most);
  void begin_to(const Expression &from, Place to, uint32_t most);
  void buffer_to(const Expression &e, Place to, uint32_t bytes);
  void string_buffer_to(const Expression &e, Place to, uint32_t bytes);
  void inet_to(const Expression &e, Place to);
  void address_as_number();
  void whole_to(const Expression &e, Place to, const Type &as);
  [[nodiscard]] Space space_of(const Expression &from) const;
  void read_sized(const Expression &from, const Expression &size, uint32_t most, bool string, Place length, Place to,
                  Space space);
  Place tuple_place(const Expression &e);
  void copy(Place from, Place to, uint32_t bytes);
  void copy_value(Place from, const Type &type, Place to, const Type &as);
  void clear(Place at, uint32_t bytes);

  // Maps.
  [[nodiscard]] const MapPlan &map_of(const Expression &e) const { return plan_.maps[e.index]; }
  Place key_to(const Expression &e, uint32_t more = 0);
  void find(const Expression &e, Place key);  // R0: its value, or 0
  void find_or_make(const Expression &e, Place key, Label lost);
  void value_of_map(const Expression &e);
  void value_of_aggregation(uint32_t map, Place key, Span at);
  void map_to(const Expression &e, Place to, const Type &as);
  void assign_map(const Statement &one);
  void aggregate(const Expression &target, const Expression &call);
  void count_bucket(const Expression &target, const Expression &call);
  void bucket_of_hist(uint32_t bits, bool is_signed);
  void bucket_of_lhist(const MapPlan &map, bool is_signed);
  void interval_of_series(const MapPlan &map);
  void add_to_series(const MapPlan &map, Place amount, Place interval);
  void say_given(const MapPlan &map, int reg);
  void update(const Statement &one);
  void delete_key(const Expression &e);
  void delete_buckets(const Expression &target);
  void find_value(const Expression &e);

  void print_to_reader(const Action &action, const std::vector<const Expression *> &values);

  // Records.
  void send(const Action &action, uint32_t number, const std::vector<const Expression *> &values);
  void count_loss(uint32_t loss);

  // Room.
  Place memory(uint32_t bytes);
  Place scratch_memory(uint32_t bytes);
  Temporary keep();  // R0
  void take(int to, Temporary &from);
  [[nodiscard]] Mark mark() const { return {frame_, scratch_}; }
  void release(const Mark &mark);
  void address_of(int reg, Place place);
  void load(int reg, Place place);
  void store(Place place, int reg);
  void store_number(Place place, int32_t number);
  int frame_slot(uint32_t bytes);

  const Source &source_;
  Plan &plan_;
  const Circumstances &circumstances_;
  const Target *target_ = nullptr;
  Numbers numbers_;
  const std::vector<Variable> *variables_ = nullptr;
  size_t predicate_variables_ = 0;
  Assembler out_;
  std::vector<Place> variable_places_;
  uint32_t frame_ = 0, scratch_ = 0, most_scratch_ = 0, free_registers_ = 0;
  int frame_register_ = 10, context_slot_ = 0, scratch_slot_ = 0, walk_slot_ = 0, stack_slot_ = 0;
  int ended_slot_ = 0;                   // of an iterator: 1 where it goes no further
  const Expression *routine_ = nullptr;  // whose body it is
  Label returned_ = 0;                   // from there
  Label end_ = 0, leave_ = 0, break_ = Assembler::kNowhere, continue_ = Assembler::kNowhere;
  bool loops_ = false;  // through a map
  std::vector<Callback> callbacks_;
  Span at_;
};

}  // namespace strata::expr
