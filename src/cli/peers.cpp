// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cli/peers.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/option.h"

namespace strata {
namespace {

constexpr std::string_view kUnits = "each number has its unit";
constexpr std::string_view kEnds = "each interval says when it ended";
constexpr std::string_view kLines = "each line has its time";
constexpr std::string_view kWhole = "addresses are never cut";
constexpr std::string_view kNoClear =
    "bcc's -C (do not clear the screen): tables follow each other where the output is "
    "no terminal, as with | cat";

constexpr std::string_view kCgroupMap =
    "bcc's --cgroupmap (groups in a BPF map) is --cgroup CGROUP here, one group and those below it";
constexpr std::string_view kMountMap =
    "bcc's --mntnsmap (mount namespaces in a BPF map) is --cgroup CGROUP here, that of the container";

constexpr Peer kPeers[] = {
    // Units and times, which our output has.
    {.tools = "biolatency|bioheat|cpudist|fsdist|funclatency|runqlat|syscount|tcprtt",
     .spellings = "m|milliseconds|millisecond",
     .met = kUnits},
    {.tools = "hardirqs|softirqs", .spellings = "N|nanoseconds", .met = kUnits},
    {.tools = "funclatency", .spellings = "u|microseconds", .met = kUnits},
    {.tools = "biolatency|bioheat|cachestat|cpudist|fsdist|funclatency|hardirqs|runqlat|runqlen|softirqs|tcprtt",
     .spellings = "T|timestamp",
     .met = kEnds},
    {.tools = "execsnoop|opensnoop", .spellings = "T|time|timestamp", .met = kLines},
    {.tools = "execsnoop|opensnoop", .spellings = "t", .instead = "bcc's -t shows the time, which each line has here"},
    {.tools = "tcpaccept|tcpconnect|tcplife|tcpstates", .spellings = "t", .instead = "bcc's -t (the time) is -T here"},

    // Block I/O
    {.tools = "biolatency|bioheat|biosnoop", .spellings = "d", .instead = "bcc's -d DISK is --disk DISK here"},
    {.tools = "biolatency", .spellings = "j", .ours = "--json"},
    {.tools = "biolatency|cpudist", .spellings = "e|extension", .met = "each histogram has its average and sum"},
    {.tools = "biosnoop", .spellings = "Q|queue|queued", .met = "QUEUED is shown"},
    {.tools = "biosnoop", .spellings = "P|pattern", .ours = "--columns=+pattern"},
    {.tools = "biotop|tcptop", .spellings = "C|noclear", .instead = kNoClear},
    {.tools = "biotop|tcptop", .spellings = "s", .ours = "--sort="},

    {.tools = "biolatency|bioheat", .spellings = "flag", .ours = "--by-flags"},

    // Files
    {.tools = "fsslower", .spellings = "min", .ours = "--min-latency="},
    {.tools = "opensnoop", .spellings = "extended-fields", .ours = "--extended"},
    {.tools = "fsdist|fsslower", .spellings = "t", .instead = "libbpf-tools' -t TYPE is --type TYPE here"},
    {.tools = "fsslower", .spellings = "j|csv", .ours = "--output=csv"},
    {.tools = "fsslower", .spellings = "c", .instead = "libbpf-tools' -c (csv) is -o csv here"},
    {.tools = "opensnoop",
     .spellings = "n|name",
     .instead = "bcc's -n takes a part of the name; -c NAME takes the whole one here"},

    // CPU
    {.tools = "cpudist|runqlat", .spellings = "pids", .ours = "--by-process"},
    {.tools = "cpudist|runqlat", .spellings = "tids", .ours = "--by-thread"},
    {.tools = "cpudist", .spellings = "offcpu", .ours = "--off-cpu"},
    {.tools = "runqlat", .spellings = "pidnss", .ours = "--by-pidns"},
    {.tools = "runqlen", .spellings = "f", .ours = "--frequency="},
    {.tools = "runqlen", .spellings = "cpus", .ours = "--by-cpu"},
    {.tools = "runqlen", .spellings = "runqocc", .ours = "--occupancy"},
    {.tools = "hardirqs|softirqs", .spellings = "distributed", .ours = "--histogram"},
    {.tools = "hardirqs|softirqs", .spellings = "C", .ours = "--no-time"},
    {.tools = "hardirqs|softirqs", .spellings = "d", .instead = "bcc's -d (distributions) is -H here"},
    {.tools = "hardirqs|softirqs",
     .spellings = "c",
     .instead = "bcc's -c CPU is --cpu CPU here",
     .theirs = Peer::Values::kNumbers},
    {.tools = "offcputime|profile|stackcount", .spellings = "f|folded", .ours = "--output=folded"},
    {.tools = "profile", .spellings = "L", .ours = "--tid="},
    {.tools = "profile",
     .spellings = "c",
     .instead = "bcc's -c COUNT (a sample at each so many events) is --period COUNT here, of an event that -e names",
     .theirs = Peer::Values::kNumbers},
    {.tools = "offcputime|profile|stackcount",
     .spellings = "d|delimited",
     .met = "functions of the kernel end in _[k]",
     .theirs = Peer::Values::kWords},
    {.tools = "profile", .spellings = "C", .instead = "bcc's -C CPU is --cpu CPU here"},
    {.tools = "profile", .spellings = "priority", .ours = "--by=prio"},
    {.tools = "offcputime|profile",
     .spellings = "stack-storage-size",
     .instead = "there is room for 16,384 stacks here"},
    {.tools = "offcputime", .spellings = "min-block-time", .ours = "--min-latency="},
    {.tools = "offcputime", .spellings = "max-block-time", .ours = "--max-latency="},
    {.tools = "offcputime", .spellings = "user-threads-only|useronly", .ours = "--user-threads"},
    {.tools = "offcputime", .spellings = "kernel-threads-only", .ours = "--kernel-threads"},
    {.tools = "offcputime|profile|stackcount", .spellings = "user-stacks-only", .ours = "--user-stacks"},
    {.tools = "offcputime|profile|stackcount", .spellings = "kernel-stacks-only", .ours = "--kernel-stacks"},
    {.tools = "offcputime|stackcount", .spellings = "s|offset", .ours = "--offsets"},
    {.tools = "offcputime|profile",
     .spellings = "perf-max-stack-depth",
     .instead = "stacks have up to 128 functions of the program and 64 of the kernel here"},
    {.tools = "stackcount", .spellings = "D", .ours = "--duration="},
    {.tools = "stackcount", .spellings = "T|timestamp", .met = kEnds},
    {.tools = "stackcount", .spellings = "P|perpid", .met = "each row has its process"},
    {.tools = "stackcount", .spellings = "r", .ours = "--regexp", .theirs = Peer::Values::kWords},
    {.tools = "stackcount",
     .spellings = "c",
     .instead = "bcc's -c CPU is --cpu CPU here",
     .theirs = Peer::Values::kNumbers},
    {.tools = "argdist", .spellings = "T|top", .ours = "--rows="},
    {.tools = "argdist",
     .spellings = "C|H",
     .instead = "bcc's -C and -H take several; here each SPECIFIER has its own"},
    {.tools = "funccount", .spellings = "D", .instead = "bcc's -D (its program's text) is --explain here"},
    {.tools = "funclatency",
     .spellings = "l|level",
     .instead = "bcc's -l (how deep calls are nested) is not needed here"},
    {.tools = "funcslower",
     .spellings = "f",
     .instead = "bcc's -f (folded stacks) is not there; -K and -U show them below each line"},
    {.tools = "trace", .spellings = "M|max-events", .ours = "--limit="},
    {.tools = "trace", .spellings = "L", .ours = "--tid="},
    {.tools = "trace", .spellings = "z", .ours = "--string-size="},
    {.tools = "trace", .spellings = "sym_file_list", .ours = "--sym-files="},
    {.tools = "trace", .spellings = "print_cpu", .ours = "--print-cpu"},
    {.tools = "trace", .spellings = "timestamp", .ours = "--elapsed"},
    {.tools = "trace", .spellings = "c", .ours = "--cgroup=", .theirs = Peer::Values::kPaths},
    {.tools = "trace", .spellings = "S|include-self", .met = "nothing keeps strata itself from being traced"},
    {.tools = "trace", .spellings = "b|buffer-pages", .instead = "bcc's -b PAGES is --buffer BYTES here"},
    {.tools = "trace", .spellings = "B|bin_cmp", .instead = "bcc's -B (STRCMP of bytes) is not there"},
    {.tools = "runqlat", .spellings = "P", .instead = "runqslower's -P: RAN, RANTID and RANFOR are always shown"},

    // Memory
    {.tools = "memleak", .spellings = "sample-rate", .ours = "--sample="},
    {.tools = "memleak", .spellings = "T|top", .ours = "--rows="},
    {.tools = "memleak", .spellings = "combined-only", .met = "a row is all blocks of a stack"},
    {.tools = "memleak", .spellings = "wa-missing-free", .met = "an address that is given again is another block"},
    {.tools = "memleak",
     .spellings = "o",
     .instead = "bcc's -o OLDER is --older TIME here, a time with its unit",
     .theirs = Peer::Values::kNumbers},
    {.tools = "memleak",
     .spellings = "c|command",
     .instead = "bcc's -c COMMAND is -- COMMAND here",
     .theirs = Peer::Values::kCommands},
    {.tools = "memleak", .spellings = "t|trace", .instead = "bcc's -t (each call as it comes) is not there"},
    {.tools = "memleak",
     .spellings = "a|show-allocs",
     .instead = "bcc's -a (each block) is not there; rows are stacks"},
    {.tools = "memleak",
     .spellings = "percpu",
     .instead = "bcc's --percpu is not there; allocations of the kernel: --kernel=slab"},
    {.tools = "memleak",
     .spellings = "O|obj",
     .instead = "bcc's -O OBJECT is not needed here: functions are found in all files of a process (--functions)"},
    {.tools = "memleak", .spellings = "S|stack-storage-size", .instead = "there is room for 16,384 stacks here"},
    {.tools = "memleak", .spellings = "P|perf-max-stack-depth", .instead = "stacks have up to 128 functions here"},
    {.tools = "memleak",
     .spellings = "symbols-prefix",
     .instead = "names of functions: --functions pool_malloc=malloc,..."},

    // Processes
    {.tools = "execsnoop", .spellings = "fails", .ours = "--failed"},
    {.tools = "execsnoop", .spellings = "max-args", .instead = "bcc's --max-args counts arguments, ours their bytes"},
    {.tools = "execsnoop", .spellings = "m", .ours = "--match="},  // ours, until -m became the least duration
    {.tools = "syscount", .spellings = "e|errno", .ours = "--error="},
    {.tools = "syscount", .spellings = "syscall", .ours = "--calls="},
    {.tools = "syscount", .spellings = "latency", .ours = "--time"},
    {.tools = "syscount", .spellings = "failures", .ours = "--failed"},
    {.tools = "execsnoop", .spellings = "n|name|l|line", .ours = "--match="},
    {.tools = "execsnoop", .spellings = "q|quote", .met = "arguments are quoted where a shell needs it"},
    {.tools = "execsnoop", .spellings = "U|print-uid", .ours = "--columns=+uid"},
    {.tools = "sigsnoop", .spellings = "n|name", .met = "signals have their names"},
    {.tools = "syscount", .spellings = "P|process", .ours = "--by=process"},
    {.tools = "syscount", .spellings = "T|top", .ours = "--rows="},
    {.tools = "syscount",
     .spellings = "l|list",
     .instead = "bcc's -l lists system calls; --calls takes those of this kernel, also patterns: --calls '*stat*'"},
    {.tools = "syscount",
     .spellings = "c",
     .instead = "bcc's -c PPID (children of a process) is -p PPID --tree here, itself included",
     .theirs = Peer::Values::kNumbers},

    // Network
    {.tools = "gethostlatency", .spellings = "libc", .ours = "--lib="},
    {.tools = "tcplife|tcprtt|tcpstates", .spellings = "localport|lport", .ours = "--local-port="},
    {.tools = "tcplife|tcprtt|tcpstates", .spellings = "remoteport|rport", .ours = "--remote-port="},
    {.tools = "tcpaccept|tcpconnect|tcplife|tcpstates", .spellings = "timestamp", .ours = "--time"},
    {.tools = "tcpretrans", .spellings = "lossprobe", .ours = "--loss-probes"},
    {.tools = "tcprtt", .spellings = "laddr", .ours = "--local="},
    {.tools = "tcprtt", .spellings = "raddr", .ours = "--remote="},
    {.tools = "tcprtt", .spellings = "byladdr", .ours = "--by-local"},
    {.tools = "tcprtt", .spellings = "byraddr", .ours = "--by-remote"},
    {.tools = "tcprtt", .spellings = "extension", .ours = "--average"},
    {.tools = "tcpaccept", .spellings = "P", .ours = "--local-port="},
    {.tools = "tcpconnect|tcprtt", .spellings = "P", .ours = "--remote-port="},
    {.tools = "tcpconnect", .spellings = "port", .ours = "--remote-port="},
    {.tools = "tcpconnect", .spellings = "c", .instead = "bcc's -c (count) is --by destination,port here"},
    {.tools = "tcpconnect",
     .spellings = "s|source-port",
     .instead = "--by destination,port,source counts by source, too"},
    {.tools = "tcpconnect",
     .spellings = "L",
     .instead = "bcc's -L (local port): LOCAL has it; -L PORT picks some here"},
    {.tools = "tcpconnect",
     .spellings = "d",
     .instead = "bcc's -d (names by DNS) is not there; strata gethostlatency shows lookups"},
    {.tools = "tcplife|tcpstates", .spellings = "w|wide", .met = kWhole},
    {.tools = "tcplife|tcpstates", .spellings = "s", .ours = "--output=csv"},
    {.tools = "tcpretrans", .spellings = "c", .instead = "bcc's -c (count by connection) is --flows here"},
    {.tools = "tcprtt", .spellings = "p", .instead = "bcc's -p PORT is -L PORT here"},
    {.tools = "tcprtt", .spellings = "a", .instead = "bcc's -a ADDRESS is --local ADDRESS here"},
    {.tools = "tcprtt",
     .spellings = "D",
     .instead = "bcc's -D (its program's text) is not there; -v says which hooks are used"},
    {.tools = "tcpstates",
     .spellings = "Y|journal",
     .instead = "bcc's -Y writes to the journal, as | systemd-cat does here"},
    {.tools = "tcptop", .spellings = "S|nosummary", .met = "there is no line of the load"},

    {.tools = "tcpconnect", .spellings = "C", .instead = kCgroupMap},
    {.tools = "tcpconnect", .spellings = "M", .instead = kMountMap},

    // The probe language
    {.tools = "run", .spellings = "B", .met = "what a program prints is written at once", .values = "line|full|none"},
    {.tools = "run", .spellings = "I|include", .met = "types are the kernel's own", .values = "*"},
    {.tools = "run", .spellings = "no-warnings", .ours = "--quiet"},
    {.tools = "run", .spellings = "o|output", .ours = "--output=text:", .theirs = Peer::Values::kFiles},
    {.tools = "run", .spellings = "usdt-file-activation", .met = "the kernel counts who listens to a static probe"},
    {.tools = "run", .spellings = "d", .instead = "bpftrace's -d STAGE is --listing here"},

    // Our own first name for it
    {.tools = "check", .spellings = "report", .ours = "--output="},

    // All
    {.tools = "*",
     .spellings = "c",
     .instead = "libbpf-tools' -c CGROUP is --cgroup CGROUP here",
     .theirs = Peer::Values::kPaths},
    {.tools = "*", .spellings = "cgroupmap", .instead = kCgroupMap},
    {.tools = "*", .spellings = "mntnsmap", .instead = kMountMap},
};

bool has_word(std::string_view words, std::string_view word) {
  const std::vector<std::string_view> all = words_of(words);
  return std::ranges::find(all, word) != all.end();
}

}  // namespace

std::vector<Peer> peers_of(std::string_view tool, bool has_filters) {
  std::vector<Peer> found;
  for (const Peer &peer : kPeers)
    if ((peer.tools == "*" && has_filters) || has_word(peer.tools, tool)) found.push_back(peer);
  return found;
}

bool is_spelled(const Peer &peer, std::string_view spelling) { return has_word(peer.spellings, spelling); }

bool is_theirs(const Peer &peer, std::string_view value) {
  const bool path = value.starts_with('/') || value.starts_with("./");
  if (peer.theirs == Peer::Values::kPaths) return path;
  if (peer.theirs == Peer::Values::kFiles)
    return value.find(':') == std::string_view::npos && value.find_first_of("./") < value.size();
  if (peer.theirs == Peer::Values::kWords) return value.empty() || value.front() < '0' || value.front() > '9';
  // Threads have names with a blank, too: --comm='Web Content' is one for certain.
  if (peer.theirs == Peer::Values::kCommands) return path || value.find(' ') != std::string_view::npos;
  return peer.theirs == Peer::Values::kNumbers && !value.empty() &&
         value.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_value(const Peer &peer, std::string_view typed, std::string_view value) {
  const std::vector<std::string_view> known = words_of(peer.values);
  if (peer.values == "*" || std::ranges::find(known, value) != known.end()) return true;
  throw usage_error(std::string(typed) + " takes one of " + comma_list(known) + ", not '" + printable(value) + "'");
}

}  // namespace strata
