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
    "OVERHEAD. On 6.1 an open costs 2877 instructions more with the lines thrown away, 872 of them in one program "
    "(fexit of do_sys_openat2); libbpf-tools 0.37 adds 11922, of which 2589.\n\n"
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
    "The price in more detail. On a terminal each letter costs some 190 instructions, whoever writes it: there an open "
    "costs 19163 more (libbpf-tools: 17424; its lines are shorter). Without fexit the program is at the end of all "
    "system calls. In a flood of 200,000 opens as fast as they come, 3 to 4 us each, all were delivered, with 7.7 MB "
    "of memory (two processors, Linux 6.18, by system calls); libbpf-tools 0.37 lost up to half of them and did not "
    "say so. --latency adds a program at the beginning of the call.";

}  // namespace strata
