// The manual of strata opensnoop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kOpensnoopManual =
    "A line for each open, openat, openat2 and creat, as the call returns: the process, the new descriptor or the "
    "error, and the name.\n\n"
    "A service \"cannot load configuration\", but does not say which. Where is it?\n\n"
    "  # strata opensnoop -x -F -- setpriv --reuid 65534 --clear-groups ./shop\n"
    "  TIME                PID COMM              FD ERR     PATH\n"
    "  18:52:54.166634   26931 shop                 ENOENT  /srv/shop/etc/shop.conf\n"
    "  18:52:54.166651   26931 shop                 EACCES  /srv/etc/shop.conf\n\n"
    "These are the last two lines: it looks below its current directory (-F joins relative names with theirs), where "
    "nothing is, and then finds /srv/etc/shop.conf, which it may not read. Who writes to a file: -f O_WRONLY,O_RDWR "
    "--path shop.conf. Which opens are slow: --min-latency 10ms.\n\n"
    "OVERHEAD. On 6.1 one program at the end of do_sys_openat2 (fexit) takes 884 instructions per open, and no other "
    "system call passes it; libbpf-tools 0.37 takes 2280 in two programs.\n\n"
    "CAVEATS. Not seen: opens by io_uring. --path is applied by strata, other filters in the kernel. strata help "
    "opensnoop says more.";

inline constexpr std::string_view kOpensnoopDetails =
    "MORE CAVEATS. The name is read at the end of the call, when the kernel has just read it: it is not lost because "
    "its page was not in memory; but another thread may have overwritten it meanwhile. A name that cannot be read is "
    "empty, and counted as a loss unless the call failed with EFAULT. Names of up to 4095 bytes are whole; \"...\" "
    "stands where something is missing. With -F \"..\" and symbolic links stay as given, and a path begins at the "
    "root of the process. 32-bit programs are seen. Not seen: opens by io_uring, open_by_handle_at(2), and the "
    "kernel's own, as the program of execve(2); where functions can be traced, an openat2 whose third argument is no "
    "open_how. --path is applied by strata, other filters in the kernel. After a filter by name a recording still has "
    "all names.\n\n"
    "BESIDE THE TWINS (scripts/twins, 6.12). libbpf-tools 0.37 and bpftrace 0.27 see neither creat nor 32-bit "
    "programs (15 and 14 of 19 calls), put the current directory before names that begin in another one, and cut "
    "names at 255 and 1023 bytes without saying so. Of 2018 opens by two threads libbpf-tools showed 1436, and said "
    "nothing.\n\n"
    "The price in more detail. An open and close of 5828 instructions costs 4900 more in all with the lines thrown "
    "away, 5900 in a file, 18300 on a terminal (libbpf-tools 0.37: 16733; its lines are shorter). Without fexit the "
    "program is at the end of all system calls. In a flood of 200,000 opens each is delivered or counted as lost; "
    "libbpf-tools 0.37 loses up to half and does not say so. The peak of memory, 21 MB, is the kernel's type "
    "information, read at the start. --latency adds a program at the beginning of the call.";

}  // namespace strata
