// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names of numbers that mean something on one machine only, as a recording has them: before the first record that
// needs one.
#pragma once

#include <cstdint>

#include "rec/record_line.h"

namespace strata {

struct disk_name {
  uint64_t dev;  // the kernel's dev_t
  char name[32];
};
struct cgroup_name {
  uint64_t id;
  char path[4096];      // below the mount point of cgroup v2
  char container[256];  // their names, or the beginning of the id; "" of none
  char pod[256];
};

// Of the process of the record that comes next (run/task_groups.h).
struct task_group {
  uint64_t cgroup;
};

struct irq_name {
  uint64_t irq;
  char name[120];  // of all its handlers
};

struct symbol_name {
  uint64_t address;  // numbered, as that of the records which it names
  char name[592];    // "veth_xmit+0x1f [veth]": a symbol has 511 bytes at most, a module 55
};

struct reason_name {
  uint64_t reason;
  char name[120];
};

struct stack_frames {
  uint64_t stack;          // a hash of addresses, numbered as they are
  char frames[192 * 256];  // names of symbols, the innermost first, with ';' between them
};

extern const RecordType kDiskRecord, kCgroupRecord, kTaskGroupRecord, kIrqNameRecord, kSymbolRecord, kDropReasonRecord,
    kStackRecord;

}  // namespace strata
