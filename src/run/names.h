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
#include "run/places.h"

namespace strata {

class Object;
class Outputs;

class Names {
 public:
  // Of this machine, and the stacks of the object's map.
  explicit Names(Outputs &out, const Object *object = nullptr) : out_(&out), places_(out, object) {}
  Names() : disks_("/nonexistent"), cgroups_(""), irqs_("") {}  // of a recording

  const std::string &disk(uint32_t dev);                                              // the kernel's dev_t; "nvme0n1"
  const std::string &cgroup(uint64_t id);                                             // "/system.slice/cron.service"
  const std::string &irq(uint32_t number);                                            // "nvme0q1"
  const std::string &symbol(uint64_t address) { return places_.symbol(address); }     // "udp_rcv+0x1f"
  const std::string &drop_reason(uint32_t reason) { return places_.reason(reason); }  // "NO_SOCKET"
  const std::string &stack(uint64_t key) { return places_.stack(key); }  // symbols, one a line, the innermost first
  bool take(const WireRecord &record);                                   // false if it is not a name

  static std::span<const Wire *const> wires();

 private:
  Outputs *out_ = nullptr;
  Disks disks_;
  Cgroups cgroups_;
  Irqs irqs_;
  Places places_;
  std::set<uint32_t> told_disks_, told_irqs_;
  std::set<uint64_t> told_cgroups_;
};

}  // namespace strata
