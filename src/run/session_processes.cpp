// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whose processes a run is about, when the last of them has ended, and how a command ends.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/ending.h"
#include "base/error.h"
#include "base/outlet.h"
#include "base/text.h"
#include "bpf/filter.h"
#include "cli/values.h"
#include "kern/cgroup.h"
#include "run/cgroup_choice.h"
#include "run/descendants.h"
#include "run/session.h"

namespace strata {
namespace {

std::vector<uint32_t> as_ids(const std::vector<uint64_t> &numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

void Session::find_processes() {
  const bool command = !values_.command().empty();
  if (!command) reject_options(values_, {"user", "all"}, "is for a command, which is missing (-- COMMAND)");
  if (!values_.given("pid"))
    reject_options(values_, {"tree"},
                   "is for the descendants of a process (-p PID); those of a command are traced anyway");
  if (command && any_given(values_, {"all", "pid", "tid"}))
    reject_options(values_, {"wait"}, "is for what is traced: with -a, -p and -t the run ends when COMMAND does");
  if (!command && !values_.given("tree"))
    reject_options(values_, {"wait"}, "is for the descendants of --tree or of a command");
  find_groups();
  if (tool_->common_options & kHasFilters) processes_ = as_ids(values_.numbers("pid"));
  if (values_.given("tree")) processes_ = with_descendants(processes_);
}

void Session::find_groups() {
  if (!any_given(values_, {"unit", "container", "pod"})) return;
  groups_ = std::make_unique<CgroupChoice>(values_);
  first_groups_ = groups_->find();
  if (first_groups_.empty()) throw Error(groups_->nothing());
}

void Session::follow_groups() { Filter::add_groups(*object_, groups_->find()); }

bool Session::is_in_groups(uint64_t cgroup) const { return !groups_ || groups_->has(cgroup); }

pid_t Session::traced_command() const { return any_given(values_, {"all", "pid", "tid"}) ? 0 : command_pid(); }

FilterRequest Session::filter_request() const {
  if (!(tool_->common_options & kHasFilters)) return {.command = command_pid()};
  return {.tgids = as_ids(values_.numbers("pid")),
          .hint = values_.hint("pid"),
          .tree = values_.given("tree"),
          .descendants = values_.given("tree") ? processes_ : std::vector<uint32_t>(),
          .tids = as_ids(values_.numbers("tid")),
          .comms = values_.texts("comm"),
          .cgroup = cgroup_directory(values_.text("cgroup")),
          .by_groups = groups_ != nullptr,
          .groups = first_groups_,
          .command = traced_command()};
}

bool Session::filters_tasks() const { return filter_request().any(); }

// Until nothing new is found: the children of what is known by then are seen as they begin.
void Session::follow_tree(const Object &object) {
  do processes_ = with_descendants(processes_);
  while (Filter::add_to_tree(object, processes_));
}

void Session::end_with_processes() {
  if (processes_.empty()) return;
  for (const uint64_t pid : values_.numbers("pid"))
    running_.emplace_back(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  std::erase_if(running_, [](const Fd &process) { return !process; });  // it has ended, or a sandbox forbids the call
  for (Fd &process : running_) {
    loop_->watch(process.get(), [this, &process] {
      process.reset();
      if (std::none_of(running_.begin(), running_.end(), [](const Fd &one) { return static_cast<bool>(one); }))
        loop_->stop(EndReason::kProcessesExited);
    });
  }
}

// Of processes that are no children of ours, nobody tells when the last one has ended.
void Session::end_with_tree() {
  constexpr uint64_t kLookNs = 100'000'000;
  loop_->every(kLookNs, [this] {
    if (command_ && !command_->has_ended()) return;
    loop_->ending().spare_first_interrupt(false);  // whose it was, has ended
    if (!Filter::tree_runs(*object_)) loop_->stop(EndReason::kProcessesExited);
  });
}

int Session::command_status() {
  if (!command_status_) command_status_ = command_ ? end_command() : 0;
  return *command_status_;
}

// What nobody watches any more is ended where the run was: by the reader who left, as a shell's pipeline is, by
// SIGTERM, or by exit() in a program, whose status is the run's then; and it is waited for. Not SIGPIPE: many runtimes
// ignore it. Not its process group: that is strata's and the whole pipeline's, too.
int Session::end_command() {
  Ending &ending = loop_->ending();
  const bool exits = loop_->reason() == EndReason::kExit;
  bool terminated = !outputs_.writable() || out_of_memory_ || exits;
  if (terminated) command_->terminate();
  while (true) {
    if (ending.urgent() && !std::exchange(terminated, true)) command_->terminate();
    if (ending.signal() == SIGINT && !command_->has_ended()) {
      command_->leave_alone();
      say("%s: %s (process %d) goes on\n", program_.c_str(), printable(command_->name()).c_str(), command_->pid());
      return 128 + SIGINT;
    }
    if (wait_for_either(command_->fd())) break;
  }
  const int status = command_->wait();
  return exits ? 0 : status;
}

}  // namespace strata
