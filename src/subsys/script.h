// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program of the probe language on this host: where its probes are, its maps and programs in the kernel, and what it
// prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "btf/kernel_types.h"
#include "expr/ast.h"
#include "expr/compile.h"
#include "expr/plan.h"
#include "expr/settings.h"
#include "expr/source.h"
#include "expr/types.h"
#include "subsys/script_maps.h"
#include "subsys/script_programs.h"
#include "subsys/script_stacks.h"
#include "subsys/user_functions.h"
#include "sym/elf.h"

namespace strata {

class Object;
class Session;
struct ScriptRun;

// That a program may wait for: by the others strata ends, stops or knows of its children.
inline constexpr std::string_view kOwnSignals[] = {"SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGALRM", "SIGWINCH"};

// A target with what is needed to attach to it.
struct ScriptPlace {
  uint64_t number = 0;     // of a tracepoint, a function in the kernel's types, a signal, or the offset in a file
  std::string module;      // of a function in the kernel's types
  int program = -1;        // of BPF, whose function it is
  uint64_t offset = 0;     // behind the beginning of a function
  uint64_t semaphore = 0;  // of a static probe, in its file
  uint64_t rate = 0;       // samples a second
  uint64_t period_ns = 0;  // of an interval, or of samples
  uint64_t bytes = 0;      // of a watchpoint, whose address is `number`
  uint32_t access = 0;     // HW_BREAKPOINT_W, ...
  // Of a user function, kept open; the name of an event; where an iterator is pinned.
  std::string file = {};
};

class Script {
 public:
  // Compiles it, and chooses what the object has to have; throws Error, of the host or of the program. Nothing is
  // loaded.
  Script(Session &session, Object &object, const ScriptRun &run, uint64_t ring_bytes);

  void load();  // when the object is loaded
  void attach();
  [[nodiscard]] size_t places_attached() const { return places_.size() - not_attached_; }
  void begin();   // `begin` probes; before others run
  void detach();  // of many places soon after, by a process of its own
  void end();     // `end` probes
  [[nodiscard]] size_t probes() const { return plan_.programs.size(); }
  [[nodiscard]] const expr::Plan &plan() const { return plan_; }
  [[nodiscard]] ScriptMaps &maps() { return *maps_; }
  [[nodiscard]] std::string listing() const;  // of all its programs
  // Where the kernel did not run a program, as it ran on its processor already.
  [[nodiscard]] uint64_t skipped() const;
  void run_in_loop();                                      // what timers of the session's loop and signals begin
  void run_iterators(const std::function<void()> &drain);  // through all objects; `drain` reads what they sent
  [[nodiscard]] bool waits_for_nothing() const;            // it has no probes but iterators, begin and end

 private:
  std::vector<expr::Target> find_targets(const expr::Probe &probe);
  std::vector<expr::Target> find_targets(const expr::AttachPoint &place);
  void add_program_arguments(std::vector<std::vector<expr::Target>> &targets);
  void check_parameters() const;                               // each is one that getopt() asks for
  void leave_out(const Error &missing, bool permitted) const;  // throws it if it is not
  void add_kernel_functions(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_bpf_programs(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_tracepoints(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_raw_tracepoints(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  uint64_t cut_offset(const expr::AttachPoint &place, std::string &name) const;
  void check_instruction(const expr::AttachPoint &place, const std::string &file, uint64_t function, uint64_t behind,
                         uint64_t base) const;
  [[nodiscard]] const char *unsafe_hint() const;
  [[nodiscard]] std::string cannot_tell() const;
  void check_address(const expr::AttachPoint &place, const std::string &file, uint64_t address, uint64_t offset) const;
  void leave_parts(const expr::AttachPoint &place, const std::string &file, bool pattern,
                   std::vector<ElfFile::NamedFunction> &functions) const;
  void check_end(const expr::AttachPoint &place, const std::string &file, const std::string &function,
                 uint64_t behind) const;
  std::string keep_open(Fd file);
  void add_place_in_program(ScriptPlace place, expr::Target &target);
  std::optional<expr::UserSymbol> user_symbol(const ScriptPlace &place, const std::string &name);
  void add_user_functions(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_static_probes(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_timed(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_watchpoint(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_iterator(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void add_signal(const expr::AttachPoint &place, std::vector<expr::Target> &found);
  void load_program(size_t i);
  struct Attachment {  // what the kernel wants to know before it loads a program
    int type = 0;
    TypeId function = {};
    int program = -1;
  };
  Fd load_half(const expr::Target &target, expr::Half half, Attachment attachment);
  [[nodiscard]] Attachment attachment_of(const expr::Code &code) const;
  [[nodiscard]] std::vector<size_t> order_of_probes() const;
  void attach_probe(size_t probe);
  void attach_program(size_t i);
  bool ends();
  void attach_functions(size_t i);
  void attach_user_functions(size_t i);
  void attach_to_place(size_t i, uint32_t place);
  // False: refused.
  bool attach_to_event(int program, Fd event, const expr::Target &target, const expr::PlaceName &name);
  // " (try: tracepoint:sched:sched_switch)", of a function that this host permits no program at.
  static std::string try_instead(const expr::Target &target, const std::string &function);
  void refuse(const expr::Target &target, const expr::PlaceName &name, int err);
  void attach_samples(size_t i);
  void attach_watchpoint(size_t i);
  void run_program(size_t i) const;
  void run_iterator(size_t i, const std::function<void()> &drain);
  void pin(const Fd &link, const std::string &path);

  Session &session_;
  Object &object_;
  const ScriptRun &run_;
  const expr::Source &source_;
  ScriptPrograms probed_;
  expr::Types types_;
  expr::Uses uses_;  // of the probe whose targets are found
  expr::Settings settings_;
  std::vector<ScriptPlace> places_;  // as plan_.places
  std::vector<Fd> files_;            // of user functions
  std::vector<std::shared_ptr<Fd>> bpf_programs_;
  std::map<std::pair<std::string, std::string>, std::optional<ElfFile::Symbol>> symbols_;  // by file and name
  expr::Plan plan_;
  std::unique_ptr<ScriptStacks> stacks_;
  std::unique_ptr<ScriptMaps> maps_;
  std::vector<bpf_insn> filter_;  // a function without arguments: is the task asked for?
  std::vector<Fd> programs_, rests_, attached_;
  std::vector<std::pair<std::string, std::string>> refused_;  // a place, and why
  size_t not_attached_ = 0;
};

}  // namespace strata
