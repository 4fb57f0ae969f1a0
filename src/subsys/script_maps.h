// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The maps of a program of the probe language, as they are in the kernel, and how they are shown: as bpftrace shows
// them, whose readers know it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "expr/plan.h"
#include "model/field.h"
#include "model/printed.h"
#include "run/resolver.h"
#include "subsys/script_order.h"

namespace strata {

class Object;
class Outputs;
class ScriptStacks;

// Text of a value that lies in memory as type.h has it.
class ScriptText {
 public:
  // `kernel_stacks`: the map of them.
  ScriptText(const expr::Plan &plan, int kernel_stacks, const ScriptStacks &stacks, Outputs &out, const Object &object)
      : plan_(plan), kernel_stacks_(kernel_stacks), stacks_(stacks), resolver_(out, &object) {}
  [[nodiscard]] std::string of(const expr::Type &type, const std::byte *bytes) const;
  // One after the other, in memory as in the text.
  [[nodiscard]] std::string of_each(std::span<const expr::Type> types, const std::byte *bytes,
                                    std::string_view between) const;
  [[nodiscard]] Datum data_of(const expr::Type &type, const std::byte *bytes) const;
  // The functions of a stack, the innermost first, by names without offsets; the kernel's are marked.
  [[nodiscard]] std::vector<std::string> frames(const expr::Type &stack, const std::byte *bytes) const;
  [[nodiscard]] std::string joined(const expr::Action &action, const std::byte *values) const;
  // As printf() has it, for people; or with its texts as they are, which data has, without the end of the line, of
  // these values and what stands behind each, alone.
  [[nodiscard]] std::string formatted(const expr::Action &action, const std::byte *values) const;
  [[nodiscard]] std::string unescaped(const expr::Action &action, const std::byte *values, size_t from = 0,
                                      size_t to = SIZE_MAX) const;

 private:
  [[nodiscard]] std::vector<std::string> functions(const expr::Type &stack, const std::byte *bytes, bool offsets) const;
  [[nodiscard]] std::string of_named(const expr::Type &tuple, const std::byte *bytes) const;
  [[nodiscard]] std::string format(const expr::Action &action, const std::byte *values, size_t from, size_t to,
                                   bool escaped) const;
  [[nodiscard]] std::string name(uint64_t number) const;
  [[nodiscard]] std::string user_name(uint64_t uid) const;  // as a number, if /etc/passwd has none
  // Unit, container or pod of a group by its number; "" if it is of none.
  [[nodiscard]] const std::string &owner(const expr::Type &type, uint64_t cgroup) const;
  [[nodiscard]] std::string cgroup_text(const expr::Type &type, uint64_t cgroup) const;
  const expr::Plan &plan_;
  int kernel_stacks_;
  const ScriptStacks &stacks_;
  mutable Resolver resolver_;  // remembers paths
  mutable std::map<uint64_t, std::string> users_;
};

class ScriptMaps {
 public:
  // Throws Error.
  ScriptMaps(const expr::Plan &plan, const Object &object, const ScriptStacks &stacks, ScriptOrder order, Outputs &out);
  [[nodiscard]] int fd_of(const expr::Reference &reference, const expr::Target &target) const;
  [[nodiscard]] const ScriptText &text() const { return *text_; }

  // Its text is empty if there is nothing in it.
  [[nodiscard]] Printed shown(uint32_t map, uint64_t most = 0, uint64_t divisor = 0);
  [[nodiscard]] bool is_zero(uint32_t map) const;  // of counters
  // `behind_print`: takes away what was shown last, if the map adds up; what was counted since then stays.
  void clear(uint32_t map, bool behind_print);
  void zero(uint32_t map);

  struct Entry {
    std::string key;  // its bytes, without the bucket
    std::vector<uint64_t>
        numbers;        // added up: of buckets, or the words of the value; of tseries() those of each bucket
    std::string bytes;  // of what is no aggregation
  };
  // In the order of their keys. `as_shown`: those are one whose keys look alike.
  [[nodiscard]] std::vector<Entry> read(uint32_t map, bool as_shown) const;
  [[nodiscard]] std::string keys_text(const expr::MapPlan &map, const Entry &entry, std::string_view between) const;
  // The number that an entry has, or the sum of those that it was given; of a histogram how many; of a series 0.
  static uint64_t total(const expr::MapPlan &map, const Entry &entry);

 private:
  // The words of a value: of an aggregation those of each processor, or, of a map that is subtracted, their sums.
  using Words = std::vector<uint64_t>;
  using KeyedWords = std::map<std::string, Words>;  // by the key in the kernel, with its bucket
  [[nodiscard]] Words words_in_kernel(uint32_t map, const std::string &key, bool remove) const;  // empty: no such key
  [[nodiscard]] KeyedWords words_of_keys(uint32_t map) const;
  [[nodiscard]] std::vector<Entry> entries_of(uint32_t map, const KeyedWords &of_keys, bool as_shown) const;
  [[nodiscard]] bool has_no_value(uint32_t map, const Entry &entry) const;
  [[nodiscard]] std::string look_of(std::span<const expr::Type> types, const std::byte *bytes) const;
  void set_to_zero(uint32_t map, bool given);
  void subtract(uint32_t map, bool behind_print);
  [[nodiscard]] std::string text_of_entry(const expr::MapPlan &map, const Entry &entry, uint64_t divisor) const;
  [[nodiscard]] Datum data_of_entry(const expr::MapPlan &map, const Entry &entry, uint64_t divisor) const;
  static void sort(const expr::MapPlan &map, std::vector<Entry> &entries);
  // By --sort, and of each map no more than --rows; how many are left out.
  size_t choose(const expr::MapPlan &map, std::vector<Entry> &entries) const;
  [[nodiscard]] Value column(const expr::MapPlan &map, const Entry &entry) const;  // that of --sort
  [[nodiscard]] std::string key_text(const expr::MapPlan &map, const Entry &entry) const;
  void each_key(uint32_t map, const std::function<void(const std::string &)> &fn) const;

  const expr::Plan &plan_;
  const Object &object_;
  const ScriptStacks &stacks_;
  const ScriptOrder order_;
  std::vector<Fd> maps_;
  std::set<uint32_t> cleared_;  // at some time
  // A map that adds up, and that no program reads, stays in the kernel when it is cleared behind a print: what is
  // counted between the two is not lost, as it is where a map is shown and then emptied. Rejected: to empty each time
  // and to add what came meanwhile, which loses what a program counts in an element that it found before it was
  // removed.
  std::set<uint32_t> subtracted_;
  // Of these: what is taken away from what the kernel has (below zero for a key that left the kernel with what was not
  // shown yet), and what was shown last.
  std::map<uint32_t, KeyedWords> taken_away_, shown_;
  Fd scratch_, kernel_stacks_;
  std::unique_ptr<ScriptText> text_;
};

}  // namespace strata
