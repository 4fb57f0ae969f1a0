// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Stacks of processes: fills the tables by which programs walk them (bpf/lib/user/stack.h), for what runs when the tool
// begins and for what begins or maps code later, and names their functions. What a process has mapped when it is looked
// at is kept, with its files, so that names are there when it has ended, for as long as a stack of it is kept. Where
// the table of mappings is full, room is made of those that no process has any more.
//
// Rejected: perf's records of mappings (a wake-up for each); a look at /proc in intervals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_id.h"
#include "bpf/mapped_array.h"
#include "bpf/ring.h"
#include "cli/option.h"
#include "lib/user/stack_wire.h"
#include "run/event_stacks.h"
#include "run/intervals.h"
#include "run/kernel_symbolizer.h"
#include "subsys/code_file.h"
#include "subsys/free_ranges.h"
#include "sym/perf_map.h"
#include "unwind/rules.h"

namespace strata {

class CodePlace;
class Object;
class Session;

// Of tools with stacks of programs.
inline constexpr Option kLinesOption = {.name = "lines", .help = "source lines; what was inlined ends in _[i]"};
inline constexpr Option kOffsetsOption = {.name = "offsets", .help = "where in their functions: vfs_read+0x1f"};

// Of tools with both parts; and the losses from LOSS_STACK on.
inline constexpr Option kStackOptions[] = {
    {.name = "user-stacks", .short_name = 'U', .help = "without the kernel's functions"},
    {.name = "kernel-stacks", .short_name = 'K', .help = "the kernel's functions alone"},
    kLinesOption,
    kOffsetsOption,
};
inline constexpr std::string_view kStackLosses[] = {
    "stack found no room: what it has is counted without it",
    "processes not looked at: the ring buffer of requests was full",
    "stacks cut short: the process was not known (yet)",
    "stacks cut short: an address in no mapping that was known",
    "stacks cut short: code without unwind information",
    "stacks cut short: unwind information of a rare kind",
    "stacks cut short: memory could not be read",
    "stacks cut short: more than 128 functions",
    "stacks cut short: a 32-bit program",
    "stacks cut short: the thread slept since before the run",
    "none (STRATA_WALK_TWICE): remembered stacks that were walked again, and are the same",
    "stacks (STRATA_WALK_TWICE): remembered, walked again, and not the same",
};

// A function of the kernel, "vfs_read+0x1f", as stacks have it.
inline std::string kernel_frame(const std::string &name) { return name.substr(0, name.find('+')) + "_[k]"; }

class Stacks {
 public:
  // Before the object is loaded. Throws a usage Error if both options are given.
  Stacks(Session &session, Object &object);

  // Instead, of a view without stacks.
  static void leave_out(Object &object);

  // Only the instruction that runs, as a stack of one function with its offset. Before the object is loaded.
  void only_innermost();
  // Does the innermost function of the stack with this key run there?
  bool runs_in(const CodePlace &place, uint64_t key);

  // A thread that repeats a system call is not walked again. Before the object is loaded.
  void remember_walks();
  // Called with each process that is looked at, as it begins, maps code or is found when the run begins; without any
  // mapping of one that is gone when its beginning is known.
  using OnLook = std::function<void(uint32_t tgid, const std::vector<CodeMapping> &mappings)>;
  void when_looked(OnLook on_look) { on_look_ = std::move(on_look); }

  // Of events, instead of with_stacks(): both parts; or the kernel's alone, of what interrupts do, where the task that
  // runs is any; or the user's alone, of uprobes, above which the kernel's is tracing itself.
  static StackReader reader(Session &session, Object &object);
  static StackReader kernel_reader(Session &session, Object &object);
  static StackReader user_reader(Session &session, Object &object);

  // `source` with the tables filled when its object is loaded, and the names of stacks; as long as this lives.
  Source with_stacks(Source source);

  // Instead, for who names stacks by itself. When the object is loaded, before it is attached; throws Error.
  void start();
  // The functions of a stack, a line each, the innermost first, with --offsets as "vfs_read+0x1f"; those of the kernel
  // end with "_[k]", as other profilers have it, those of JIT compilers with "_[j]", inlined ones with "_[i]", a caller
  // that is a guess with "_[g]". One that is cut short says so in its last line.
  std::string frames(uint64_t key, const KernelName &kernel_name) { return frames(key, kernel_name, offsets_); }
  std::string frames(uint64_t key, const KernelName &kernel_name, bool offsets);
  // The part of a program with addresses, the innermost first. Where it is cut short, why is the last one's function.
  struct Frame {
    uint64_t address = 0;  // in memory, where a process has it that is known; else as the file says it
    bool in_memory = false;
    std::string function, file;  // with the offset, and the path; the latter may be ""
  };
  std::vector<Frame> user_part(uint64_t key);
  // Of an address of a process; "" if nothing is known of it.
  std::string function(uint32_t tgid, uint64_t address);

 private:
  struct Part {
    CodeMapping mapping;
    CodeFile *file;  // nullptr: none, or one that cannot be read
    uint64_t bias;
  };
  struct Process {
    std::vector<Part> parts;
    uint32_t first;                     // of its mappings in the tables
    std::shared_ptr<PerfMap> perf_map;  // if it has code that no file is known of
  };
  struct Tables {
    explicit Tables(const Object &object)
        : mappings(object, "stack_mappings"),
          pages(object, "stack_pages"),
          chunk(object, "stack_chunks", 0, 1),
          rules(object, "stack_rules") {}
    MappedArray<stack_mapping> mappings;
    MappedArray<stack_page> pages;
    MappedArray<stack_chunk> chunk;  // the one that is being filled
    MappedArray<unwind_rule> rules;
    size_t pages_used = 0, chunks_used = 1, rows_used = 0, rules_used = 0;
  };

  void look_at(uint32_t tgid, bool began = false);
  void look_again();
  void read_files_of(uint32_t tgid);
  void keep_mappings(uint32_t tgid, const std::vector<CodeMapping> &mappings);
  uint32_t add_process(uint32_t tgid, const std::vector<CodeMapping> &mappings);
  CodeFile *file_of(uint32_t tgid, const CodeMapping &mapping);
  void add_file(const CodeMapping &mapping, CodeFile &file);
  std::shared_ptr<PerfMap> perf_map_of(uint32_t tgid);
  void add_table(CodeFile &file);
  void on_request(const stack_request &request);
  [[nodiscard]] uint32_t number_of(uint32_t tgid) const;
  void wake_after(uint64_t ms);
  std::optional<uint32_t> room_for(uint32_t mappings);
  void collect();
  struct Code {
    CodeFile *file = nullptr;
    uint64_t address = 0;         // as the file says it
    const Process *of = nullptr;  // whose it is, if that is known
    const Part *part = nullptr;
  };
  [[nodiscard]] Code code_of(uint32_t process, uint64_t frame) const;
  [[nodiscard]] FrameOffset offset_of(uint32_t frame) const {
    return innermost_ ? FrameOffset::kAlone : frame == 0 ? FrameOffset::kAt : FrameOffset::kBehind;
  }
  [[nodiscard]] FrameOffset own_offset() const { return innermost_ ? FrameOffset::kAlone : FrameOffset::kNone; }
  [[nodiscard]] std::string user_frame(uint32_t process, uint64_t frame, FrameOffset offset) const;
  // With lines that and what was inlined into it, the innermost first.
  [[nodiscard]] std::vector<std::string> user_frames(uint32_t process, uint64_t frame, FrameOffset offset) const;

  Session &session_;
  Object &object_;
  std::unique_ptr<Tables> tables_;
  std::unique_ptr<Ring> requests_;
  UnwindRules rules_;
  std::map<FileId, Fd> roots_;                              // of processes, which may end before names are asked for
  std::map<std::string, std::unique_ptr<CodeFile>> files_;  // nullptr: cannot be read
  std::vector<CodeFile *> numbered_;                        // as stack_files has them
  std::map<uint32_t, Process> processes_;                   // by number
  uint32_t last_number_ = 0;
  FreeRanges room_;  // in the table of mappings
  uint64_t collected_ns_ = 0;
  bool innermost_ = false, lines_ = false, offsets_ = false;
  std::map<uint32_t, std::shared_ptr<PerfMap>> perf_maps_;  // by tgid
  std::map<uint32_t, uint32_t> known_;                      // number by tgid, of what it had mapped last
  std::vector<std::pair<uint32_t, unsigned>> young_;  // programs that are still to map their libraries, with their age
  Fd timer_;
  OnLook on_look_;
};

// What a tool declares, with its programs compiled for it (run/event_stacks.h).
using StackedElf = const void *(size_t *size);
constexpr EventStacks event_stacks(StackedElf *elf) {
  return {.elf = elf, .reader = Stacks::reader, .losses = kStackLosses, .both_parts = true, .user_part = true};
}
constexpr EventStacks kernel_event_stacks(StackedElf *elf) {
  return {.elf = elf, .reader = Stacks::kernel_reader, .losses = kStackLosses};
}
constexpr EventStacks user_event_stacks(StackedElf *elf) {
  return {.elf = elf, .reader = Stacks::user_reader, .losses = kStackLosses, .user_part = true};
}

}  // namespace strata
