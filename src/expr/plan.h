// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program becomes: instructions for each place that it is attached to, and what user space needs to know of its
// maps and of the records that it sends.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "btf/file.h"
#include "expr/operand.h"
#include "expr/settings.h"
#include "expr/type.h"

namespace strata::expr {

inline constexpr uint32_t kMostCompared = 1024;  // bytes of strings, and of arrays
inline constexpr uint32_t kMostShown = 8192;     // bytes of a struct or an array that is shown as a whole

// A symbol of the file that a place of a program is in.
struct UserSymbol {
  uint64_t address = 0;
  uint32_t bytes = 0;
  bool moves = false;  // the file lies in memory anywhere: then the address is that behind the place, or before it
};

// A place as the host has it, with what the program may know of it.
struct Target {
  std::string kind;                  // as in AttachPoint
  std::string title;                 // `probe`: "kprobe:vfs_read"
  std::string name;                  // the function's, or the tracepoint's: `func`
  std::vector<Field> arguments;      // by the kernel's types; of a tracepoint with their offsets in its record
  const BtfFile *program = nullptr;  // the types of the program that it is in, if it wants any
  std::map<std::string, std::string> unreadable;  // arguments by their names, and why
  std::string why_no_arguments;                   // are known: "" of what says so itself
  Type result;                                    // of a function that returns
  bool of_bpf = false;                            // a function of a BPF program
  bool pinned = false;                            // an iterator that is a file, whose readers run it
  std::vector<Operand> operands;                  // of a static probe: its arguments
  std::string unread;                             // where those are, if that is not known here
  std::function<std::optional<UserSymbol>(const std::string &name)> find_symbol;  // of a place in a program
  [[nodiscard]] bool is(std::string_view one) const { return kind == one; }
  [[nodiscard]] std::string kind_text() const { return is("begin") || is("end") ? "special" : kind; }  // `probetype`
  [[nodiscard]] bool in_user_space() const { return is("uprobe") || is("uretprobe") || is("usdt"); }
  [[nodiscard]] bool has_registers() const { return in_user_space() || is("kprobe") || is("kretprobe"); }
  [[nodiscard]] bool is_typed() const { return is("fentry") || is("fexit"); }  // a program for each function
  [[nodiscard]] bool returns() const { return is("kretprobe") || is("uretprobe") || is("fexit"); }
  [[nodiscard]] bool is_sample() const { return is("profile") || is("software") || is("hardware") || is("watchpoint"); }
  // In strata's own task, whoever is traced.
  [[nodiscard]] bool is_ours() const { return is("begin") || is("end") || is("interval") || is("self") || is("iter"); }
};

// What tseries() makes of the values of an interval.
enum class Fold : uint8_t { kLast, kAverage, kMin, kMax, kSum };
// A bucket of tseries(): the number of its interval since 1970, of which the buckets take turns; what its values make
// (of kAverage their sum); how many there were (of kLast, when the last one came). 0 of the first: there were none.
inline constexpr int kSeriesInterval = 0, kSeriesValue = 8, kSeriesCount = 16, kSeriesBytes = 24;

struct MapPlan {
  std::string name;  // without @
  std::vector<Type> key;
  Type value;
  uint64_t low = 0, high = 0, step = 0;  // of lhist(); of tseries() the step is the interval, in nanoseconds
  uint32_t bits = 0;                     // of hist(): 1 << bits buckets for each power of 2
  uint32_t buckets = 0;                  // of hist(), lhist() and tseries()
  Fold fold = Fold::kLast;
  uint32_t keys = 0;     // at most
  bool adds = false;     // values are added to, by += or ++
  bool evicts = false;   // the key that was used last long ago makes room for a new one
  bool is_read = false;  // by the program itself, or loses keys by it
  [[nodiscard]] bool per_cpu() const { return value.is_aggregate(); }
  // An array of one element, which has its value from the beginning: a word behind it is 1 as soon as the program gave
  // it one.
  [[nodiscard]] bool is_single() const { return key.empty() && !per_cpu(); }
  [[nodiscard]] bool has_buckets() const { return value.kind >= Type::Kind::kHistogram; }  // each an element of the map
  [[nodiscard]] uint32_t elements() const;                                                 // of the map, at most
  [[nodiscard]] uint32_t key_bytes() const;  // of the map, with the bucket
  [[nodiscard]] uint32_t value_bytes() const;
};

inline constexpr uint32_t kJoined = 16;        // arguments that join() shows
inline constexpr uint32_t kMostJoined = 1024;  // characters of each

// A record to user space begins with the number of one of these in 8 bytes; its values follow.
struct Action {
  enum class Kind : uint8_t {
    kPrintf,
    kCat,
    kSystem,
    kError,
    kPrintValue,
    kPrintMap,
    kClear,
    kZero,
    kTime,
    kJoin,
    kExit
  };
  Kind kind = Kind::kPrintf;
  std::string format;
  std::vector<Type> values;
  uint32_t map = 0;
  bool warns = false;                  // of kError: warnf()
  bool behind_print = false;           // clear(@map), on each way to which there is a print(@map)
  uint64_t most = 0, divisor = 0;      // of print(@map, most, divisor)
  std::vector<std::string> keys = {};  // of a program of rows, a key for each of the values (bcc_line.h)
  [[nodiscard]] uint32_t bytes() const;
  bool operator==(const Action &other) const;
};

// What is the same for all programs of a run, on this host.
struct Circumstances {
  uint64_t start_ns = 0;                  // of `elapsed`, by CLOCK_MONOTONIC
  uint64_t tai_ns = 0, real_ns = 0;       // what CLOCK_TAI and CLOCK_REALTIME are ahead of that
  uint32_t self = 0;                      // tgid of strata, whose own doings are not traced
  uint64_t pidns_dev = 0, pidns_ino = 0;  // of strata's PID namespace, where it is not the first one
  std::vector<std::string> parameters;    // "--name=value", for getopt()
  bool filters = false;                   // a function of the caller's says whether the task is one that is asked for
  bool unsafe = false;                    // may do something to what is traced
  bool rows = false;                      // printf() ends with keys of its values, and may have some for data alone
  uint32_t cpus = 1;
  uint32_t child = 0;             // cpid
  uint32_t wake_shift = 15;       // the reader of the ring is woken by each 1 << 15 bytes
  uint32_t first_rest = 0;        // in the array of halves, the number of what is behind the first program's walk
  bool function_address = false;  // where a function of a program returns, the kernel says where that lies
  bool cookies = false, raw_cookies = false;  // a program is told at which of its places it runs
  uint32_t loss_ring = 0, loss_map = 0, loss_stack = 0, loss_busy = 0, loss_turns = 0;  // numbers of their counters
  // By name; 0: there is none.
  std::function<uint64_t(const std::string &)> kernel_address, cgroup_id;
  std::function<bool()> loops, ranges;      // does a helper go through maps, and through numbers?
  std::function<uint32_t()> possible_cpus;  // 0, or none: a program cannot read what others counted
};

// Where an instruction pair (BPF_LD | BPF_IMM | BPF_DW) wants the descriptor of a map.
struct Reference {
  enum class Kind : uint8_t { kMap, kValue, kRing, kLosses, kScratch, kStacks, kUserStacks, kWalk, kHalves };
  Kind kind = Kind::kMap;
  uint32_t instruction = 0;
  uint32_t map = 0;  // of kMap and kValue, which is the address of an array's one element
  bool operator==(const Reference &other) const = default;
};

struct Half {
  std::vector<bpf_insn> instructions;
  std::vector<Reference> references;
  std::set<uint32_t> functions;  // the first instructions of those that helpers call, which are behind its exit
  int filter_call = -1;          // the instruction that calls the filter, whose place is behind all others
  bool operator==(const Half &other) const;
};

// What wants a stack of user space ends with a jump to the walk, by the array of halves, and goes on behind it in a
// half of its own.
struct Code {
  Target target;
  size_t probe = 0;
  Half main, rest;  // no rest: it wants none
  uint32_t scratch_bytes = 0;
  std::vector<uint32_t> places;  // numbers in Plan::places; of several, each is attached with its cookie
};

struct PlaceName {
  std::string title, name;  // as in Target
  uint64_t cookie = 0;      // their numbers in Plan::names, that of the title in the upper half
};

// Names of numbers, by the name of their enum.
using Enums = std::map<std::string, std::map<uint64_t, std::string>, std::less<>>;
const std::string *enumerator(const Enums &enums, const Type &type, uint64_t number);  // nullptr: it has no name

struct Plan {
  std::deque<MapPlan> maps;  // one that is new leaves references to others as they are
  std::vector<Action> actions;
  std::vector<Code> programs;
  std::vector<PlaceName> places;   // of all targets, in their order
  std::vector<std::string> names;  // of them, each once
  bool names_user_code = false;    // something shown is an address of user space
  bool names_cgroups = false;      // something shown is found by the number of a cgroup
  Settings settings;
  std::vector<MapPlan> declared;
  Enums enums;                                 // of which values are shown
  std::set<std::string, std::less<>> options;  // that getopt() asks for: "--name"
};

}  // namespace strata::expr
