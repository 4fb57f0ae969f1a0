// Numbers that only this machine can name. A live run asks the machine and tells each new name to the recording; a
// replay takes the names from there.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "kern/cgroup.h"
#include "kern/disk.h"
#include "kern/irq.h"
#include "rec/wire.h"

namespace strata {

class Outputs;

class Names {
 public:
  explicit Names(Outputs &out) : out_(&out) {}                  // of this machine
  Names() : disks_("/nonexistent"), cgroups_(""), irqs_("") {}  // of a recording

  const std::string &disk(uint32_t dev);    // the kernel's dev_t; "nvme0n1"
  const std::string &cgroup(uint64_t id);   // "/system.slice/cron.service"
  const std::string &irq(uint32_t number);  // "nvme0q1"
  bool take(const WireRecord &record);      // false if it is not a name

  static std::span<const Wire *const> wires();

 private:
  Outputs *out_ = nullptr;
  Disks disks_;
  Cgroups cgroups_;
  Irqs irqs_;
  std::set<uint32_t> told_disks_, told_irqs_;
  std::set<uint64_t> told_cgroups_;
};

}  // namespace strata
