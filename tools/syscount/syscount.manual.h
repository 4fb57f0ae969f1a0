// The manual of strata syscount.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kSyscountManual =
    "Which system calls are made, how many, how many of these failed, and with --time how long they took: by call, by "
    "process, by both, by call and error, or by thread.\n\n"
    "A deployment hangs, a Python process takes a whole CPU, and top says that much of it is spent in the kernel (sy). "
    "What does it ask the kernel for?\n\n"
    "  # strata syscount --by error --rows 3 -- /usr/bin/python3 deploy.py\n"
    "  20:28:03, 1.02s\n"
    "  CALL                ERR                  COUNT\n"
    "  newfstatat          ENOENT              349639\n"
    "  newfstatat                                  89\n"
    "  rt_sigaction                                66\n"
    "  ... and 32 more (see --rows)\n\n"
    "In a second it asks 349,639 times for a file that is not there (ENOENT), and never sleeps in between: it waits "
    "for "
    "one in a loop. --time says that one takes 0.9 us, and that a third of the time goes there; which file, strace -e "
    "newfstatat shows. Who makes most calls on the machine, each second: -i 1 --by process --rows 10.\n\n"
    "OVERHEAD. A getppid costs 338 instructions on 6.1. syscount adds 209, of which its program is 143; --by process "
    "285 (219), --time 470 (380), with a program at the beginning too. libbpf-tools 0.37's syscount adds 514 (239), -P "
    "715 (439), -L 1510 (989). (make bench)\n\n"
    "CAVEATS. A call is counted when it ends: exit and exit_group never do, and one that still waits is in no row. "
    "Signals show as errors of the kernel's own, such as ERESTARTSYS. More: strata help syscount.";

inline constexpr std::string_view kSyscountDetails =
    "WHAT COUNTS. A call of a 32-bit program has its own row (32-bit read). rt_sigreturn restores the registers of "
    "another moment, its own number among them: a call that ends without a number is counted as this one, which also "
    "holds for one that a tracer cancelled. In libbpf-tools and bcc these are missing. The child's side of fork, vfork "
    "and clone ends a call that it did not make: it is not counted. (no such call) has a number that is nobody's. With "
    "-- COMMAND the read with which strata lets the command begin, and its execve, are counted.\n\n"
    "ERRORS. An interrupted call ends with ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND or ERESTART_RESTARTBLOCK; after "
    "the signal it is made again, which is another call, or the program gets EINTR. --by error shows calls that did "
    "not fail in a row of their own, with an empty ERR; not with --failed. --error takes a name or a number.\n\n"
    "TIME. --time needs a program at the beginning of each call, too. Calls that began before strata did are counted, "
    "but not in TIME and AVERAGE; --columns untimed says how many. The beginning is kept in one of 16384 lines, chosen "
    "by the thread's number: where two threads that are in a call at once have the same one, the earlier "
    "one is not timed, and a loss is counted. Time is from entry to exit: with what the thread waited, and with the "
    "tracing of other hooks.\n\n"
    "PROCESSES. A row of a process has all of its threads, under the name of the first one: where that changes, by "
    "exec "
    "or because it names itself, there is another row for what follows. With --by thread the name is the thread's own. "
    "libbpf-tools has one row, with the last name.\n\n"
    "CALLS. --calls takes names and patterns: '*stat*,open*'. A pattern stands for what this version of strata knows, "
    "of "
    "64-bit and of 32-bit programs.\n\n"
    "BESIDE THE TWINS. Of a program's 1009 getppid, 503 close that failed and 11 forks libbpf-tools 0.37 showed as "
    "many "
    "(6.12), but the failures in a run of their own (-x); of its 7 returns from a signal none, because it drops calls "
    "without a number. bpftrace 0.27's syscount.bt counts the whole machine, and shows the ten most frequent calls. "
    "(scripts/twins)\n\n"
    "LIMITS. Up to 65536 rows by process, both, error or thread are counted in a run, and in practice a quarter more; "
    "others are a counted loss. Strata's own calls never are.";

}  // namespace strata
