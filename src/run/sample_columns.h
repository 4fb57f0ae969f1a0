// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// With which of its columns a sample is shown: those of --columns, and whose its process is. That is looked up where a
// hop is read, as of the rows of other tools (run/task_groups.h): when a sample ends, its process may be long gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/sample.h"
#include "rec/record_line.h"
#include "run/task_groups.h"

namespace strata {

class Resolver;

class SampleColumns {
 public:
  SampleColumns(const Session &session, Resolver &names);

  // Of each record before its tracker gets it: in a run, which tells the recording; in a replay, from there. The
  // latter: whether it was about groups alone.
  void look_up(TaskGroups &groups, Session &session, const RecordType &type, const void *record);
  bool learn(const Record &record);
  [[nodiscard]] bool knows_none() const { return owned_ && groups_.empty(); }

  [[nodiscard]] Value owner(const Sample &sample, std::string_view key) const;  // its unit, container or pod
  void put(const Sample &sample, Session &session) const;

 private:
  void is_in(uint32_t tgid, uint64_t cgroup);

  Resolver &names_;
  const bool owned_;
  const bool as_it_is_;                            // the whole sample
  std::vector<Field> columns_;                     // else, hidden where text does not show them
  std::unordered_map<uint32_t, uint64_t> groups_;  // of processes
  std::optional<uint64_t> next_;                   // that of the next record, in a replay
};

extern const std::span<const RecordType *const> kSampleOwnerRecords;  // of a recording, if it was asked

}  // namespace strata
