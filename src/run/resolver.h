// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Numbers that only this machine can name. A live run asks the machine and tells each new name to the recording; a
// replay takes the names from there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "kern/cgroup.h"
#include "kern/cgroup_owner.h"
#include "kern/container_names.h"
#include "kern/disk.h"
#include "kern/irq.h"
#include "rec/pointers.h"
#include "rec/record_line.h"
#include "run/kernel_symbolizer.h"

namespace strata {

class Object;
class Outputs;

class Resolver {
 public:
  // Of this machine, and the stacks of the object's map.
  explicit Resolver(Outputs &out, const Object *object = nullptr);
  Resolver()
      : disks_("/nonexistent"),
        cgroups_(""),
        containers_("/nonexistent"),
        irqs_(""),
        symbolizer_(pointers_) {}  // of a recording
  Resolver(const Resolver &) = delete;
  Resolver &operator=(const Resolver &) = delete;

  const std::string &disk(uint32_t dev);      // the kernel's dev_t; "nvme0n1"
  const std::string &cgroup(uint64_t id);     // "/system.slice/cron.service"
  const CgroupOwner &owner(uint64_t cgroup);  // of containers and pods the names, or else "4f2c9b7a1d3e"
  const std::string &irq(uint32_t number);    // "nvme0q1"
  const std::string &symbol(uint64_t place) { return symbolizer_.symbol(place); }         // a pointer; "udp_rcv+0x1f"
  const std::string &drop_reason(uint32_t reason) { return symbolizer_.reason(reason); }  // "NO_SOCKET"
  const std::string &stack(uint64_t key) { return symbolizer_.stack(key); }  // symbols, one a line, the innermost first
  void read_stacks_by(StackFrames frames) { symbolizer_.read_stacks_by(std::move(frames)); }
  Pointers &pointers() { return pointers_; }
  bool learn(const Record &record);  // false if it is not a name

  static std::span<const RecordType *const> types();

 private:
  Outputs *out_ = nullptr;
  Disks disks_;
  Cgroups cgroups_;
  ContainerNames containers_;
  std::map<uint64_t, CgroupOwner> owners_;
  Irqs irqs_;
  Pointers pointers_;
  KernelSymbolizer symbolizer_;
  std::set<uint32_t> told_disks_, told_irqs_;
  std::set<uint64_t> told_cgroups_;
};

}  // namespace strata
