// The manual of strata biotop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kBiotopManual =
    "Each second, who made the disks work: a row for each process, disk and operation, with the number of I/Os, their "
    "bytes, and how long one waited in the queue and kept the disk busy on average.\n\n"
    "The machine is slow, and top shows only that tasks wait for I/O (wa). Whose?\n\n"
    "  # strata biotop -- ./both\n"
    "  19:02:49, 1.00s\n"
    "  COMM            PID BY      DISK    OP          I/O   BYTES  QUEUE DEVICE\n"
    "  tar           23034 issued  vda     discard       3  192MiB 18.2us 10.3ms\n"
    "  tar           23034 dirtied vda     write       225  179MiB 14.7ms  425us\n"
    "  dd            23058 issued  vda     read        754 5.89MiB 1.40us 49.1us\n"
    "  sync          23059 issued  vda     flush         1      0B    0ns 94.7us\n\n"
    "The 225 writes of tar wait 15 ms each in the queue. tar itself only wrote into the page cache: BY says that it "
    "dirtied the pages that were written later; issued says that the process submitted the I/O itself. Its discards "
    "are the blocks of the file that it replaced. Each I/O shows strata biosnoop. Who kept the disks busy most, in "
    "intervals of ten seconds: -i 10 --sort device_ns --rows 5.\n\n"
    "OVERHEAD. A direct read of 4 KiB costs 4809 instructions on 6.12. biotop adds 1724, of which its programs are "
    "1627 (1734 on 6.1); libbpf-tools 0.37's biotop adds 3358, of which 3002. (make bench)\n\n"
    "CAVEATS. Stacked devices (device mapper, md) have rows besides the disks below: do not add them up (--disk). Up "
    "to 16384 processes by disks by operations are counted in a run; more are a counted loss. Who dirtied what, and "
    "where that is not known: see biosnoop.";

inline constexpr std::string_view kBiotopDetails =
    "BESIDE THE TWINS. libbpf-tools 0.37's biotop does not start on 6.1; on 6.12 it put 404 KiB that one process had "
    "dirtied down to sync, which had them written (scripts/twins).";

}  // namespace strata
