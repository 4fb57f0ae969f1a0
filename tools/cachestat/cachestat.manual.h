// The manual of strata cachestat.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kCachestatManual =
    "The kernel keeps what was read from files in memory, in pages of usually 4 KiB, as long as there is room: the "
    "page cache. This counts, each second, the pages that were read and found there (HITS), and those for which "
    "somebody waited for the disk (MISSES).\n\n"
    "A report that took a minute takes an hour since the data grew. Is it that they no longer fit into memory?\n\n"
    "  # strata cachestat -- python3 report.py\n"
    "  TIME                HITS  MISSES READAHEAD  RATIO DIRTIES BUFFERS  CACHED\n"
    "  19:04:57.855489     3188   13744        10  18.8%       0   12MiB 2.70GiB\n"
    "  19:04:58.883619    18484   18888         0  49.5%       0 12.0MiB 2.78GiB\n"
    "  19:04:59.831112    19379    6889         0  73.8%       0 12.0MiB 2.81GiB\n\n"
    "In the first second 13744 of 16932 pages were not in memory. READAHEAD is near 0, so the reads are scattered. "
    "Here the ratio rises while the file comes into the cache (CACHED grows): it fits. Were it still low after the "
    "whole file was read, and CACHED all the memory there is, pages would be thrown out before they are wanted again: "
    "more memory, or less data. Who reads, and what: --by process, --by file.\n\n"
    "Much READAHEAD, many HITS and few MISSES are a file that is read from its start to its end: the kernel has read "
    "it in just before. The disk is busy all the same.\n\n"
    "OVERHEAD, in instructions on 6.1, for a 4 KiB write and a read of it from the cache, which take 4482: 237 more, "
    "of which 119 are the program at the end of the read (an empty one is counted with 66); --by process 856 and 741. "
    "libbpf-tools 0.37 adds 125, of which 72, at the write: at a read it runs nothing there, and of 64000 pages read "
    "from the cache it showed 154, cachestat 64002.\n\n"
    "CAVEATS. Page faults are counted since Linux 6.10. Reads by O_DIRECT and of tmpfs are not. What is an access, a "
    "hit, a miss: strata help cachestat.";

inline constexpr std::string_view kCachestatDetails =
    "WHAT IS COUNTED, all in pages. An access is a page of which a read (read, pread, readv, sendfile, splice, "
    "copy_file_range, and aio and io_uring, see below) returned at least a byte, or for which a page fault on a "
    "mapped file had to ask the cache. It is a miss if that read or fault had to bring the page in, else a hit: so "
    "hits and misses are all accesses, and the ratio is never below 0 or above 100 %. READAHEAD are pages that came "
    "in although no read had asked for them yet; when one does, that is a hit. MISSES and READAHEAD together came "
    "from the disk (or are zeros of a hole). DIRTIES are the pages of folios that were clean and are no longer, as "
    "nr_dirtied of /proc/vmstat counts them. Only pages of regular files, and of block devices that are read as "
    "files; not those of directories and metadata (see BUFFERS), tmpfs, O_DIRECT.\n\n"
    "BESIDE THE TWINS (scripts/twins, 6.12, xfs). Of 4003 pages that came from memory libbpf-tools 0.37 counted 9 "
    "hits, of 4003 from the disk 9 hits and no miss: a read no longer calls what it counts (mark_page_accessed, "
    "add_to_page_cache_lru). Their successors, by bpftrace, also count the pages that processes had mapped when they "
    "end, 5796 for the 4003 hits, and folios: 505 for 4003 pages.\n\n"
    "MORE CAVEATS. A write that overwrites a part of a page that is not cached makes the kernel read it in: that "
    "counts as CREATED, not as a miss. Page faults are counted since Linux 6.10; before, pages that they bring in are "
    "counted as READAHEAD. Reads of mapped pages that cause no fault are seen by nobody, neither are those of "
    "neighbours that were mapped with a page (fault-around). Where the host permits no fentry, reads are counted "
    "where system calls end: then not those of io_uring, aio, the kernel itself (loop devices, NFS server), "
    "overlayfs, whose file is not the one that is cached, and 32-bit programs. Threads that read through one "
    "descriptor at once may be given each other's positions there. A file with several names is shown by any of "
    "them.\n\n"
    "The price in more detail. On 5.10 0.26 pays for each page that is read: a read of 64 KiB costs 849 there and 97 "
    "here, a 4 KiB write and read of it 56 and 97. Nothing runs at writes to dirty pages. Without fexit each system "
    "call pays for a "
    "program: an empty one adds 114. (make bench)";

}  // namespace strata
