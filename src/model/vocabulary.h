// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Keys that tools share: the same key means the same in each of them, in the same unit. A column that takes one with
// another unit does not compile; tests/lib/golden/run finds two tools with a key that is not here.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "model/field.h"

namespace strata {

struct Word {
  std::string_view key;
  Unit unit;
  std::string_view meaning;
};

inline constexpr Word kVocabulary[] = {
    {"avg_ns", Unit::kNs, "how long one of those that the row counts took, on average"},
    {"by", Unit::kNone, "what the task did to cause the I/O: issued it, dirtied its pages, or unknown"},
    {"call", Unit::kNone, "the system call, by its name"},
    {"cgroup", Unit::kNone, "path of the control group (v2)"},
    {"comm", Unit::kNone, "name of the task, at most 15 bytes, as of ps -o comm"},
    {"container", Unit::kNone, "name of the container, or the beginning of its id"},
    {"count", Unit::kNone, "how many: what the row or the histogram counts"},
    {"cpu", Unit::kNone, "number of the CPU"},
    {"cpu_percent", Unit::kPercent, "time as a part of the interval; one CPU is 100 %"},
    {"data", Unit::kNone, "what a program of the probe language printed; its form is that of the line's type"},
    {"destination", Unit::kNone, "address and port that the packet goes to"},
    {"dev", Unit::kNone, "name of the network device"},
    {"device_ns", Unit::kNs, "how long the device had the I/O; of a row that counts, the sum"},
    {"disk", Unit::kNone, "name of the whole disk"},
    {"drops", Unit::kNone, "how many were dropped"},
    {"dur_ns", Unit::kNs, "how long one stretch lasted"},
    {"error", Unit::kNone, "why it failed, by the error's name; null: it did not"},
    {"errors", Unit::kNone, "how many of those that the row counts failed"},
    {"ethertype", Unit::kNone, "what the frame carries: IPv4, ARP, ..."},
    {"file", Unit::kNone, "name of the file, with its path as far as it is known"},
    {"flags", Unit::kNone, "flags of the call or of the I/O, in words"},
    {"fs", Unit::kNone, "type of the file system"},
    {"function", Unit::kNone, "the function, by its name"},
    {"ifindex", Unit::kNone, "number of the network device"},
    {"info", Unit::kNone, "what the header says: flags of TCP, type of ICMP"},
    {"inode", Unit::kNone, "inode number of the file"},
    {"irq", Unit::kNone, "number of the interrupt"},
    {"lat_ns", Unit::kNs, "how long whoever asked for it waited"},
    {"life_ns", Unit::kNs, "from the beginning of the program or connection to its end"},
    {"local", Unit::kNone, "address and port of this end"},
    {"local_address", Unit::kNone, "address of this end"},
    {"local_port", Unit::kNone, "port of this end"},
    {"metric", Unit::kNone, "what was measured, or differs"},
    {"min_rtt_ns", Unit::kNs, "the shortest round trip of the connection that TCP has measured lately"},
    {"name", Unit::kNone, "what the row is about, by its name"},
    {"netns", Unit::kNone, "inode of the network namespace, as of lsns"},
    {"notes", Unit::kNone, "what else is unusual of the packet"},
    {"offset_bytes", Unit::kOffset, "where in the file"},
    {"operation", Unit::kNone, "what was asked for: read, write, open, fsync, copy, flush, discard, ..."},
    {"pod", Unit::kNone, "pod of Kubernetes: NAMESPACE/NAME, or its UID"},
    {"protocol", Unit::kNone, "protocol above IP"},
    {"queue_ns", Unit::kNs, "how long it waited in a queue; of a row that counts, the sum"},
    {"remote", Unit::kNone, "address and port of the other end"},
    {"remote_address", Unit::kNone, "address of the other end"},
    {"remote_port", Unit::kNone, "port of the other end"},
    {"result", Unit::kNone, "what came of it: ok, the error's name, or another end"},
    {"retransmits", Unit::kNone, "segments that were sent again"},
    {"rtt_ns", Unit::kNs, "round-trip time"},
    {"rx_bytes", Unit::kBytes, "data received"},
    {"samples", Unit::kNone, "how often it was found"},
    {"segments", Unit::kNone, "segments that a packet is made of"},
    {"seq", Unit::kNone, "TCP's sequence number of the first byte"},
    {"share_percent", Unit::kPercent, "the part that the row is of all rows of its interval"},
    {"signal", Unit::kNone, "name of the signal"},
    {"size_bytes", Unit::kBytes, "size of what was moved; of a row that counts, the sum"},
    {"source", Unit::kNone, "address and port that the packet comes from"},
    {"stack", Unit::kStack, "functions, innermost first; _[k]: of the kernel"},
    {"stacked", Unit::kNone, "is the disk made of others?"},
    {"state", Unit::kNone, "state of the TCP socket"},
    {"tgid", Unit::kNone, "number of the process (PID)"},
    {"tid", Unit::kNone, "number of the thread"},
    {"time", Unit::kNone, "which part of the I/O is measured: queue, device or total"},
    {"time_ns", Unit::kWallNs, "when it happened, ns since 1970"},
    {"to_ns", Unit::kWallNs, "end of the interval that began at from_ns, ns since 1970"},
    {"total_ns", Unit::kNs, "the whole time; of a row that counts, the sum"},
    {"tx_bytes", Unit::kBytes, "data sent, each byte once"},
    {"uid", Unit::kNone, "number of the user"},
    {"unit", Unit::kNone, "unit of systemd"},
    {"waiting", Unit::kNone, "how many wait: threads for a CPU, connections to be accepted"},
};

// nullptr: the key is one tool's own.
constexpr const Word *word_of(std::string_view key) {
  const auto *found =
      std::find_if(std::begin(kVocabulary), std::end(kVocabulary), [&](const Word &word) { return word.key == key; });
  return found == std::end(kVocabulary) ? nullptr : found;
}

}  // namespace strata
