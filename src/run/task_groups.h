// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whose a row's process is: `unit`, `container` and `pod` of every row that has a PID, of all tools. They are looked up
// by that number once in a while, of what runs in /proc, of what has ended in a map that one program at the exit of
// processes fills (bpf/lib/core/ended_groups.h), and the path of a cgroup that was removed meanwhile in another, filled
// where that happens. So nothing is paid for each event, and nothing at all unless a column, --when or --sort names one
// of them; JSON has them only then, too. In a recording the group stands before its record, as stacks do.
//
// Rejected: the group's number in each record, which costs each event a call of the kernel's, each row that is counted
// by process a key of eight bytes more, and is no answer where the task is not the one that runs (who owns a socket).
// Tools that have that number anyway (execsnoop, and block I/O, whose tasks may be long gone) keep it. Rejected also:
// the paths of all groups from a walk at the start and from mkdir on, most of which nobody asks for; and a watch of
// each directory (inotify), which is late for a group in a new one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/record.h"

struct bpf_map;

namespace strata {

class Object;
class Session;

// The columns; and those that rows of these columns may have besides their own.
extern const std::span<const Field> kTaskOwners;
std::vector<Field> owners_beside(Schema columns);
std::vector<Field> with_owners(std::vector<Field> columns);  // and these behind them

// The path of a cgroup that was removed during the run, where a column shows cgroups or whose they are; else, or where
// that is not known, "". Asked when the object is loaded.
std::function<std::string(uint64_t)> removed_groups(const Object &object);

class TaskGroups {
 public:
  static constexpr uint32_t kEnded = 8192, kRemoved = 1024;  // that are remembered

  TaskGroups(const Session &session, const Object &object);

  // 0: not asked for, or not known. In an interval a process is in one group; in a list, for a second.
  uint64_t of(const RecordView &record);
  uint64_t now_of(const RecordView &record);
  uint64_t of(uint32_t tgid);  // of what is no row
  void renew() { known_.clear(); }
  void tell(Session &session, uint64_t cgroup) const;  // the recording, before the record

 private:
  uint64_t find(uint32_t tgid) const;

  const Field *process_;  // the column of its number; nullptr: not asked for
  const bpf_map *ended_;  // or nullptr
  const std::string root_;
  std::unordered_map<uint32_t, uint64_t> known_;
  uint64_t renewed_ns_ = 0;
};

}  // namespace strata
