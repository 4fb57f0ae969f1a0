// The manual of strata biotop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kBiotopManual =
    "Each second, who made the disks work: a row for each process, disk and operation, with the number of I/Os, their "
    "bytes, and how long one waited in the queue and kept the disk busy on average.\n\n"
    "The machine is slow, and top shows only that tasks wait for I/O (wa). Whose?\n\n"
    "  # strata biotop\n"
    "  10:14:03, 1.00s\n"
    "  COMM            PID BY      DISK    OP          I/O   BYTES  QUEUE DEVICE\n"
    "  tar            4711 dirtied sda     write       412  206MiB 88.4ms 7.90ms\n"
    "  postgres        812 issued  sda     read        127    1MiB 61.2ms  388us\n\n"
    "tar fills the queue, and the reads of postgres wait in it. tar itself only wrote into the page cache: BY says "
    "that it dirtied the pages that the kernel wrote later; issued says that the process submitted the I/O itself. "
    "Afterwards, strata biosnoop shows each I/O.\n\n"
    "  # strata biotop -i 10 --sort device_ns --rows 5\n\n"
    "is who kept the disks busy most, in intervals of ten seconds. Nothing is lost between two intervals.\n\n"
    "OVERHEAD. A direct read of 4 KiB costs 4821 instructions on 6.12. biotop adds 1692, of which its programs are "
    "1601 (1709 on "
    "6.1); libbpf-tools 0.37's biotop adds 3352, of which 3003. (make bench)\n\n"
    "BESIDE THE TWINS. libbpf-tools 0.37's biotop does not start on 6.1; on 6.12 it put 404 KiB that one process had "
    "dirtied down to sync, which had them written (scripts/twins).\n\n"
    "CAVEATS. Stacked devices (device mapper, md) have rows besides the disks below: do not add them up "
    "(--disk). Up to 16384 processes by disks by operations are counted in a run; more are a counted loss. Who dirtied "
    "what, and where that is not known: see biosnoop.";

}  // namespace strata
