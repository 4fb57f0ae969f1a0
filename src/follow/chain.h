// A procedure that is followed: its samples, made of the records of bpf/follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "follow/collector.h"
#include "kern/disk.h"
#include "model/loss.h"
#include "model/sample.h"

namespace strata {

class Chain {
 public:
  Chain(const Procedure &procedure, Collector::Done done, Disks disks, const Thresholds &thresholds)
      : collector_(procedure, std::move(done), thresholds), disks_(std::move(disks)) {}
  virtual ~Chain() = default;
  Chain(const Chain &) = delete;
  Chain &operator=(const Chain &) = delete;

  virtual void on_record(const void *record, size_t size) = 0;  // of the ring buffer, in its order
  // No record comes any more. `sampled` is the BPF side's count; samples that it never reported are lost, as are, when
  // records were dropped, those that have not ended.
  virtual void end(uint64_t sampled, const std::vector<Loss> &losses) = 0;

  [[nodiscard]] virtual bool idle() const = 0;     // no sample is under way
  [[nodiscard]] virtual bool calling() const = 0;  // some sample's system call has not returned
  // Samples whose data the kernel says are there though no hook saw the completion: a loss of hops.
  [[nodiscard]] uint64_t missed() const { return missed_; }

  Disks &disks() { return disks_; }
  [[nodiscard]] uint64_t ended() const { return collector_.ended(); }
  [[nodiscard]] const Account &account() const { return collector_.account(); }
  [[nodiscard]] std::vector<LayerTimes> layers() const { return collector_.layers(); }
  [[nodiscard]] std::optional<Rest> rest() const { return collector_.rest(); }

 protected:
  Collector collector_;
  Disks disks_;
  uint64_t missed_ = 0;
};

}  // namespace strata
