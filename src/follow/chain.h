// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A followed procedure (write, fsync, send, recv, query): what it brings to what all of them share. Its hooks and
// records are a table; what makes samples of its records is a tracker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bpf/variant.h"
#include "follow/collector.h"
#include "follow/wire.h"
#include "model/loss.h"
#include "rec/record_line.h"

namespace strata {

class Object;

class ChainTracker {
 public:
  virtual ~ChainTracker() = default;

  // Of the ring buffer or of a recording, in its order, with numbers for its addresses.
  virtual void on_record(const void *record, size_t size) = 0;
  // At least ten times a second: what has been silent for long enough is over. Records say the same by their times.
  virtual void on_time(uint64_t) {}
  // No record comes any more. `sampled` is the BPF side's count; samples that it never reported are lost, as are, when
  // records were dropped, those that have not ended.
  virtual void end(uint64_t sampled, const std::vector<Loss> &losses) = 0;

  // The cgroup of the process that the next record is of, if that says whose its sample is (Chain::process_of).
  void of_group(uint64_t cgroup) { group_ = cgroup; }

  // Names that only this machine knows: those that a record needs, once each, and those of a recording.
  using Take = std::function<void(const RecordType &type, const void *name)>;
  virtual void name_first(const void *record, const Take &take) = 0;
  virtual bool on_name(const RecordType &type, const void *name) = 0;  // false: it is not one

  [[nodiscard]] virtual bool idle() const = 0;     // all samples have ended
  [[nodiscard]] virtual bool calling() const = 0;  // some sample's system call has not returned
  [[nodiscard]] virtual const Collector &collector() const = 0;
  // What was found to be missing from the records: a loss of hops, which a replay counts again.
  [[nodiscard]] virtual Loss missed() const = 0;

 protected:
  [[nodiscard]] uint64_t group() const { return group_; }

 private:
  uint64_t group_ = 0;
};

struct Chain {
  std::string_view name;  // the operand: "write"; with an option: "send --udp"
  const Procedure &procedure;
  std::span<const Hook> hooks;
  // Those that only the procedure passes, sampled or not; the others are needed while a sample is followed.
  std::span<const std::string_view> path_hooks;
  // --path, if it has one: changes the programs, and the mode if that is then another one. Throws Error.
  void (*set_path)(Object &object, const std::string &path, follow_attach_mode &mode) = nullptr;
  std::span<const RecordType *const> records;  // that may be in a recording
  const RecordType &(*record_of)(const void *record);
  uint32_t (*process_of)(const void *record);  // whose its sample is; 0 of a record that does not say that
  std::span<const std::string_view> losses;
  std::string_view others;  // what follows what this does not: for who got no sample
  bool chosen_late =
      false;  // the filters are about what is known at a sample's end: --limit is of those that are shown
  // Enables the hooks of one mode and names the functions to attach to. `via` is auto, functions or tracepoints; throws
  // Error if what was asked for is not permitted.
  follow_attach_mode (*choose_attach_mode)(Object &object, std::string_view via);
  // `here`: the records are of this machine, whose names it knows.
  std::unique_ptr<ChainTracker> (*track)(const follow_attach_mode &mode, Collector::Done done, bool here,
                                         const Thresholds &thresholds);
};

}  // namespace strata
