// The manual of strata biosnoop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kBiosnoopManual =
    "A line for each block I/O when it is done: which process caused it, on which disk, how large it was, how long it "
    "waited in the queue and how long the disk took.\n\n"
    "The disk is busy, or one request in a thousand takes long, and iostat only shows averages: who does that? Show "
    "the slow ones:\n\n"
    "  # strata biosnoop -m 3ms \\\n"
    "      --columns comm,tgid,by,size_bytes,queue_ns,device_ns,io -- ./both\n"
    "  COMM            PID BY        BYTES  QUEUE DEVICE I/O\n"
    "  tar           23003 dirtied   12KiB 9.41ms 74.5us write sync\n"
    "  tar           23003 dirtied 1.24MiB 9.49ms  707us write sync\n"
    "  dd            23011 issued     8KiB 4.05ms  266us read sync idle\n\n"
    "The disk itself is fast (DEVICE): the read of 8 KiB waited 4 ms behind what tar has written (QUEUE). tar only "
    "wrote into the page cache; the pages went to the disk later, here by sync. BY says dirtied: this task dirtied "
    "them. With issued, the task submitted the I/O itself. -p, -t, -c, --cgroup and -- COMMAND mean the task that "
    "caused it, and thus find what kworkers write for it.\n\n"
    "OVERHEAD. A direct read of 4 KiB costs 4792 instructions on 6.12. biosnoop adds 1628, of which its programs are "
    "1523 (1598 on 6.1); libbpf-tools 0.37's biosnoop adds 15077, of which 4254. A page that is dirtied costs one "
    "look-up more. (make bench)\n\n"
    "CAVEATS. A flush is a row for each caller that waits for one, with all of that time; biolatency counts it once, "
    "at the disk. Stacked devices (dm, md) have rows besides the disks below: do not add them up. What COMMAND leaves "
    "dirty is written after its end. strata help biosnoop says more.";

inline constexpr std::string_view kBiosnoopDetails =
    "The submitter beside the task that caused the I/O: --columns comm,by,issuer,disk,sector,size_bytes,pattern,io.\n\n"
    "A device of the device mapper or of md has lines of its own, (stacked on sda), whose DEVICE is all the time from "
    "queue to completion; the I/O below it has its line too, (for dm-0), so do not add them up (--disk). Where a "
    "stacked device passes the I/O on as it is (md raid0, nvme multipath), there is one line, of the disk below. What "
    "waits for a flush of the disk's cache first (preflush) waits in QUEUE; a flush without data has no queue. "
    "Operation and flags are in the kernel's words.\n\n"
    "BESIDE THE TWINS. The biosnoops of libbpf-tools 0.37 and bpftrace 0.27 do not start on 6.1. On 6.12 they named "
    "sync for 404 KiB that another process had dirtied, and of 53 reads of a stacked device showed only those of the "
    "disk below (scripts/twins). Here -Q is not needed.\n\n"
    "MORE CAVEATS. The dirtier is the last one of each MiB of a file, and the first page of the I/O decides. It is "
    "not known, and the line says issued, for pages that were dirty before the run, for encrypted or compressed files "
    "and below dm-crypt, where the disk gets other pages than the file's. Metadata belongs to everybody: it is "
    "dirtied by who touched that MiB of the disk last, often jbd2. The part of a split I/O that goes first does not "
    "say for which stacked device. What was submitted before the run is unknown, and not shown with a filter for "
    "tasks. Without queue/iostats the kernel keeps no start: QUEUE is empty. -- COMMAND ends with the command: what "
    "it left dirty is written later and not seen (try conv=fsync, or sync).";

}  // namespace strata
