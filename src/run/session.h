// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One run of a tool: everything that every tool has and none should write again. A shape, with the tool's object, reads
// as
//
//   session.prepare(object);
//   object.attach();
//   session.loop().watch(...);
//   session.run();
//   session.report(object.losses());
//   session.out().put(summary);
//   return session.finish();
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "model/condition.h"
#include "model/loss.h"
#include "render/sink.h"
#include "run/command.h"
#include "run/loop.h"
#include "run/privileges.h"
#include "run/tool.h"

namespace strata {

class Object;
class CgroupChoice;
class Values;
struct FilterRequest;

class Session {
 public:
  // Opens the outputs and prepares the command; throws Error before anything is traced.
  Session(const Tool &tool, const Values &values, std::string program);
  // One of several runs in one process: it has the host's loop and command. When it is attached and would loop, it does
  // what is `inside`: another guest's run, or the host's. So what began first ends last, and all of it is one thread.
  // Rejected: a thread or a process for each, whose starts and ends would have to wait for each other.
  Session(const Tool &tool, const Values &values, std::string program, Session &host, std::function<void()> inside);
  ~Session();

  [[nodiscard]] const Values &values() const { return values_; }
  [[nodiscard]] const View &view() const { return *view_; }  // that the options select; of a tool with views
  [[nodiscard]] Schema columns() const { return columns_; }  // the view's, or the tool's
  [[nodiscard]] bool shows(std::string_view option) const;   // the view is that of this option
  [[nodiscard]] bool shows_column(std::string_view key) const;
  [[nodiscard]] std::span<const size_t> data_columns() const { return data_; }  // of json, if --columns chooses them
  [[nodiscard]] bool applies(const Field &column) const;                        // its `with` does, or is not known
  // Whether the options of the run that is shown hold ("time|by=call"); false if they are not known.
  [[nodiscard]] bool holds(std::string_view conditions) const;
  [[nodiscard]] const EventStacks &event_stacks() const { return tool_->stacks; }
  [[nodiscard]] bool has_stacks() const;  // the events of the run that is shown, as was asked for
  // The column of the process of each row, where columns that say whose that is are asked for; else nullptr.
  [[nodiscard]] const Field *owned_process() const { return owned_ ? &columns_[*owned_] : nullptr; }
  // Where an option of how rows are shown stands: a replay has its own, or else what the run had.
  [[nodiscard]] const Values &values_with(std::string_view option) const;
  [[nodiscard]] uint64_t limit() const;  // of --limit, where that stands; 0: it does not
  [[nodiscard]] bool options_known() const { return run_values_ != nullptr; }
  [[nodiscard]] const Values *run_values() const { return run_values_; }  // its options; nullptr: they are not known
  // Of what is to be shown: whether --when holds of it, and then a recorder is to write. True without --when.
  template <typename ValueOf>  // of Condition, which is not made of it for nothing
  [[nodiscard]] bool passes(const ValueOf &value_of) {
    return !when_ || held(when_->holds(value_of));
  }
  [[nodiscard]] bool passes(const Row &row) { return !when_ || held(when_->holds(row)); }
  bool held(bool holds) {
    when_held_ = when_held_ || holds;
    return holds;
  }
  // The expression of --when: the replay's own, or else the run's; empty if there is none.
  [[nodiscard]] std::string when() const;
  [[nodiscard]] const Tool &tool() const { return *tool_; }
  [[nodiscard]] const Followed *followed() const { return followed_of(*tool_, run_values_); }  // nullptr: nothing
  void show_groups() { shows_groups_ = true; }  // where no column does; before prepare()
  // How a column is shown where it depends on the host; before the run begins.
  void set_column(const Field &column);
  // A column before those of a replay, which begins after that.
  void lead_with(const Field &column) { lead_ = column; }
  // A replay shows what this tool, called with these options (nullptr: they are not known), has recorded.
  void replay(const Tool &tool, const View *view, const Values *run_values);
  [[nodiscard]] const std::string &program() const { return program_; }  // as it was called: "strata follow"
  [[nodiscard]] const Clocks &clocks() const { return clocks_; }
  [[nodiscard]] Loop &loop() { return *loop_; }
  [[nodiscard]] Outputs &out() { return outputs_; }
  [[nodiscard]] bool filters_tasks() const;  // for certain ones: by a common filter, or a command
  [[nodiscard]] pid_t command_pid() const { return command_ ? command_->pid() : 0; }
  [[nodiscard]] bool command_has_ended() const { return command_ != nullptr && command_->has_ended(); }
  int command_status();  // when the run is over: waits for the command, if there is one
  // The command, if it and what it starts is what is traced; 0: there is none, or it says how long others are (-a, -p,
  // -t).
  [[nodiscard]] pid_t traced_command() const;
  // Those of -p, and with --tree their descendants from before the run.
  [[nodiscard]] const std::vector<uint32_t> &processes() const { return processes_; }

  [[nodiscard]] bool is_in_groups(uint64_t cgroup) const;  // those of --unit, --container, --pod; true without these

  // Sets constants and common filters, and loads; -v tells which variants were taken.
  void prepare(Object &object);
  // The programs may be thinned while they run (bpf/thinning.h), if they can be; before prepare().
  void allow_thinning() { allows_thinning_ = true; }
  // What it calls when the object is loaded: to fill its maps.
  void when_loaded(std::function<void()> fill) { fill_ = std::move(fill); }
  // What it calls when the programs are attached, before a command begins and anything is put out.
  void when_attached(std::function<void()> attached) { attached_ = std::move(attached); }

  void read_stacks_by(StackReader reader) { stack_reader_ = std::move(reader); }
  [[nodiscard]] const StackReader &stack_reader() const { return stack_reader_; }  // of events, if they have stacks

  // How counters are read at once, and put out, for a host that does not wait for the end of an interval.
  void read_by(std::function<void()> read) { read_ = std::move(read); }
  void read() const {
    if (read_) read_();
  }
  [[nodiscard]] Object *object() const { return object_; }  // that is prepared; nullptr: none is

  // How what the programs have sent and nobody has read is read: a recorder writes what came before the signal.
  void drain_by(std::function<void()> drain) { drain_ = std::move(drain); }

  // What is still done when the programs are attached, and takes privileges: before run(), which gives up all others.
  void keep(Needs needs) { needs_ |= needs; }

  // The head of all outputs, once: by run(), or before it by a tool that has something to put out first; `records` of a
  // tool without views are those that may come. A replay gives the head of its recording.
  void begin(std::span<const RecordType *const> records = {});
  void begin(RecordingHead head, std::span<const RecordType *const> records = {});

  // Once more, when a run is over and its guests are gone: with a new loop, and the command from its beginning.
  void renew();

  // Gives up privileges, starts the command, if there is one, which has its own, and loops until it ends, the time of
  // -d is over, a signal comes, the loop is stopped, or no output can be written. With a command the first SIGINT is
  // the command's.
  void run();
  // Runs a part that may need much memory. Without that the run is over: it goes on to its end, where what there is is
  // shown, says why, and its status is 1.
  void within_memory(const std::function<void()> &part);
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
  // Of what was lost since the last warning, while the run goes on; a guest's losses are the host's to tell.
  void warn(std::span<const Loss> losses);
  void report(std::vector<Loss> losses);      // what was lost: after the last record, before a summary
  void fail();                                // an error ends the run before finish()
  void count_seen() { counts_seen_ = true; }  // where none is shown, to say so
  void saw(uint64_t events) { seen_ += events; }
  // Of a run that shows nothing before its end: to a person at a terminal, that it goes on, and what it has by now.
  void show_progress(std::function<std::vector<Loss>()> losses, std::function<std::string()> counted);
  int finish();  // ends the outputs, waits for the command; the exit status

 private:
  Session(const Tool &tool, const Values &values, std::string program, Session *host);

  void find_groups();     // throws Error if there are none
  void follow_groups();   // new ones
  void find_processes();  // throws Error where the options about them exclude each other
  [[nodiscard]] FilterRequest filter_request() const;
  void follow_tree(const Object &object);         // of --tree: what was started while the programs were attached
  void end_with_processes();                      // of -p: with the last of them
  void end_with_tree();                           // of --wait
  void show(const Tool &tool, const View *view);  // throws Error where --columns asks for what it has not
  void choose_columns();
  void add_owners();                        // of the rows' processes (run/task_groups.h)
  [[nodiscard]] bool names_groups() const;  // a column shows cgroups, or whose they are
  void prepare_owners(Object &object) const;
  [[nodiscard]] bool names_column(std::string_view key) const;  // by an option of what is shown
  [[nodiscard]] bool bounds_size() const;  // a recording, by --max-size, which is another option of memleak
  void check_recorder();                   // throws Error where its options have no sense
  void begin_recorder();
  void write_kept(std::string_view why);
  void complain();
  void run_inside();
  int end_command();  // its exit status
  [[nodiscard]] std::vector<const RecordType *> records_of_view() const;
  void say_lost(const Loss &loss, const char *since);
  void say_how_it_ends();
  void end_progress();

  const Tool *tool_;
  const View *view_ = nullptr;
  std::vector<Field> columns_;
  const Values &values_;
  const Values *run_values_;  // the options of the run that is shown
  std::string program_;
  Clocks clocks_;
  std::optional<uint64_t> start_ns_;  // of --start-at, since 1970
  std::vector<size_t> shown_, data_;
  std::optional<size_t> owned_;
  std::optional<Field> lead_;
  bool shows_groups_ = false;
  bool allows_thinning_ = false;
  std::optional<Condition> when_;
  bool when_held_ = false;
  uint64_t kept_written_ = 0;  // times
  bool replay_ = false;
  bool begun_ = false;
  std::map<std::string, uint64_t> warned_;  // losses by reason
  std::function<void()> fill_, attached_, drain_, read_;
  StackReader stack_reader_;
  Needs needs_ = 0;
  uint64_t seen_ = 0;  // events or rows
  bool counts_seen_ = false;
  bool in_progress_ = false;  // the line that says so is on the screen
  bool out_of_memory_ = false;
  std::unique_ptr<char[]> reserve_;  // of memory, to print what there is when the rest is used up
  Outputs outputs_;
  Session *host_ = nullptr;
  std::function<void()> inside_;
  std::unique_ptr<Command> own_command_;
  std::unique_ptr<Loop> own_loop_;
  Command *command_ = nullptr;  // the host's, or its own, if there is one
  Loop *loop_ = nullptr;
  std::optional<int> command_status_;
  std::vector<uint32_t> processes_;
  std::unique_ptr<CgroupChoice> groups_;  // of --unit, --container, --pod
  std::vector<uint64_t> first_groups_;
  std::vector<Fd> running_;   // of -p
  Object *object_ = nullptr;  // that is prepared
};

}  // namespace strata
