// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/peer_tools.h"

#include <algorithm>

#include "cli/option.h"

namespace strata {
namespace {

// What no tool answers yet.
constexpr std::string_view kNotYet =
    "bindsnoop|biostacks|bpflist|capable|cobjnew|compactsnoop|cpufreq|criticalstat|dbslower|dbstat|deadlock|"
    "dirtop|drsnoop|filegone|filelife|funcinterval|inject|javacalls|javaflow|javagc|javaobjnew|javastat|"
    "javathreads|ksnoop|mountsnoop|mptcpify|mysqld_qslower|nodegc|nodestat|numamove|numasched|perlcalls|"
    "perlflow|perlstat|phpcalls|phpflow|phpstat|ppchcalls|pythoncalls|pythonflow|pythongc|pythonstat|rdmaucma|"
    "reset-trace|rubycalls|rubyflow|rubygc|rubyobjnew|rubystat|slabratetop|solisten|ssllatency|sslsniff|"
    "sslsnoop|tclcalls|tclflow|tclobjnew|tclstat|tcppktlat|ttysnoop|ucalls|uflow|ugc|uobjnew|ustat|uthreads|"
    "virtiostat|wqlat";

constexpr PeerTool kTools[] = {
    {"bashreadline", "run bashreadline"},
    {"bcachefsdist", "fsdist --type bcachefs"},
    {"bcachefsslower", "fsslower --type bcachefs"},
    {"bcc", "list --all", "its tools have the same names here, or others"},
    {"biolatency-kp", "biolatency"},
    {"biolatpcts", "biolatency -i 1", "percentiles stand below each histogram"},
    {"biopattern", "biosnoop --columns +pattern"},
    {"bitesize", "biosnoop", "BYTES of each I/O; strata iosize has histograms of what system calls read and write"},
    {"bpftrace", "run 'PROGRAM'", "the same language, without a compiler; strata help run has what differs"},
    {"cachetop", "cachestat --by process"},
    {"chaingraph", "offcputime --chain"},
    {"cpuunclaimed", "runqlen -O -C", "which part of the time threads waited for each CPU, and how busy it was"},
    {"cpuwalk", "runqlen -O -C", "how busy each CPU was"},
    {"dcsnoop", "run dcsnoop"},
    {"dcstat", "run dcstat"},
    {"exitsnoop", "execsnoop --exit", "programs that began while it ran"},
    {"fileslower", "fsslower"},
    {"filetop", "cachestat --by file", "what is read of each file, by pages"},
    {"futexctn", "locks --by lock", "-H has how the waits are distributed"},
    {"iotop", "biotop"},
    {"klockstat", "locks --type kmutex,krwsem-r,krwsem-w", "waits alone; how long they are held is not known"},
    {"kvmexit", "run kvmexit"},
    {"llcstat", "run llcstat"},
    {"loads", "run loads"},
    {"mdflush", "run mdflush"},
    {"naptime", "run naptime"},
    {"netqtop", "rxsnoop --rate", "received packets by device, not by queue"},
    {"oomkill", "sigsnoop -s KILL", "whom the kernel killed, as every other SIGKILL"},
    {"perf", "list --all", "perf record is strata profile, perf trace is strata syscount and strata trace"},
    {"pidpersec", "execsnoop", "each program; processes that only fork are not seen"},
    {"ply", "run 'PROGRAM'", "a program in bpftrace's language, which is near to ply's"},
    {"readahead", "cachestat -i 1", "READAHEAD: pages that were brought in before they were asked for"},
    {"setuids", "run setuids"},
    {"shmsnoop", "run shmsnoop"},
    {"sofdsnoop", "run sofdsnoop"},
    {"softirqslower", "softirqs -H", "how the times are distributed"},
    {"statsnoop", "syscount --calls '*stat*,statx' --by process", "their number; not the names of the files"},
    {"swapin", "run swapin"},
    {"syncsnoop", "fsslower --op fsync -m 0", "fsync and fdatasync"},
    {"tcpcong", "run tcpcong"},
    {"tcpconnlat", "tcpconnect"},
    {"tcpdrop", "dropmon --list --protocol tcp --stacks"},
    {"tcpsubnet", "tcptop -A 10.0.0.0/8"},
    {"tcptracer", "tcpstates"},
    {"threadsnoop", "run threadsnoop"},
    {"undump", "run undump"},
    {"vfscount", "syscount"},
    {"vfsstat", "syscount -i 1 --calls '*read*,*write*,open*,creat,fsync'"},
    {"writeback", "run writeback"},
    {"zfsdist", "fsdist --type zfs"},
    {"zfsslower", "fsslower --type zfs"},
};

}  // namespace

const std::span<const PeerTool> kPeerTools = kTools;

std::vector<std::string_view> unanswered_tools() { return words_of(kNotYet); }

std::string_view bare_name(std::string_view name) {
  for (const std::string_view suffix : {"-bpfcc", ".bt"})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

std::string answer_text(const PeerTool &peer) {
  return "strata " + std::string(peer.ours) + (peer.note.empty() ? "" : ": " + std::string(peer.note));
}

std::string answer_of(std::string_view name) {
  name = bare_name(name);
  const auto peer = std::ranges::find(kTools, name, &PeerTool::name);
  if (peer != std::end(kTools)) return " (" + answer_text(*peer) + ")";
  const std::vector<std::string_view> others = unanswered_tools();
  return std::ranges::find(others, name) == others.end() ? "" : " (no tool of strata answers it yet)";
}

}  // namespace strata
