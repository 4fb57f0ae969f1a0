// The manual of strata execsnoop.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kExecsnoopManual =
    "A row for each program that begins: who started it, which file, and its arguments as the new process has them. "
    "With --failed also each call that failed.\n\n"
    "The host is slow, and top shows CPU time that belongs to no process: they live too shortly to be seen. What is "
    "started, and for how long does it run?\n\n"
    "  # strata execsnoop --exit --columns tgid,ppid,life_ns,result,args \\\n"
    "      -- timeout 0.8 ./agent\n"
    "      PID    PPID    LIFE RESULT    ARGS\n"
    "    19410   19409   201ms exit 0    sleep 0.2\n"
    "    19422   19409  11.1ms exit 1    pgrep -x ntpd\n"
    "    19437   19409  1.32ms exit 0    logger -t agent 'ntpd is down'\n\n"
    "Process 19409 starts three programs, five times a second: pgrep lives 11 ms and ends with exit 1, found no ntpd. "
    "With --exit a row comes at the end: by exit, by a signal, or because its process executes the next program "
    "(exec); what still runs when you stop has running.\n\n"
    "OVERHEAD. fork, exec and exit of a small static program take 514,000 instructions on 6.1. BPF adds 1,418 "
    "(libbpf-tools 0.37: 6,875), --exit 1,400 more; all in all, with its line on a terminal, it is 7,803 (39,282).\n\n"
    "CAVEATS. -c is the name of the new program. PPID and -P are the host's numbers; for one container take --cgroup. "
    "strata help execsnoop says more.";

inline constexpr std::string_view kExecsnoopDetails =
    "Count what is frequent with -o csv --columns file,ppid and sort | uniq -c; follow one branch with -P 19409; look "
    "for words with -m 'ntpd|chrony'. Pasting ARGS into a shell gives the same words.\n\n"
    "A command fails, but nobody says why? --failed shows the errors: ENOENT for each directory of PATH is usual; "
    "EACCES is a missing x or a noexec mount; ENOENT of a script that exists means that its interpreter (first line) "
    "does not; ENOEXEC is a script without a first line, or another architecture; E2BIG too many arguments.\n\n"
    "ARGUMENTS. All are kept, up to 16384 bytes; beyond, the row ends in ... (N bytes more). Words are quoted where a "
    "shell needs it; control characters and broken UTF-8 are $'\\x1b'. FILE is what the caller named, ARGS begin with "
    "argv[0], which may be another word (-bash, an applet of busybox). Of a script ARGS begin with its interpreter, "
    "as in ps. A memory file or a descriptor is FILE /dev/fd/N; exe says what it is, and whether it was deleted.\n\n"
    "BESIDE THE TWINS, which read the caller's memory before the call, this reads what the kernel has set up when the "
    "program begins: by execve, execveat, a thread, or the kernel itself (modprobe, helpers of core dumps). Of 14 "
    "programs libbpf-tools 0.37 showed 10 (not those by execveat or a thread), of 601 arguments 19, bpftrace 0.27 16; "
    "both showed nothing of one in a page that was not yet in memory (scripts/twins). Their --max-args counts "
    "arguments, here bytes.\n\n"
    "MORE CAVEATS. Failed: of the caller's arguments at most 512, together 12 to 16 KiB, and each 4 KiB, are kept "
    "(else: ... (more)); what the caller has in memory that is swapped out is not readable; failed calls of 32-bit "
    "programs are only counted, as a loss; a program that the kernel kills while it loads it (a broken ELF file) has "
    "no row. -c is the name of the new program, of a failed call the caller's. -t is the process's number: a thread "
    "that executes becomes its process. In a container PPID is the host's number, and so is -P. Records that were "
    "lost (--buffer) are counted; where that was the end of a program, it is said to be running, or not seen once its "
    "number is used again.\n\n"
    "The price in more detail. bpftrace 0.27 takes 20,591. Cwd and exe, 1,400 and 1,700, are collected only where they "
    "are printed: by json and record, or if "
    "--columns names them. --failed lets every system call of the machine pass a test, about 70 instructions.";

}  // namespace strata
