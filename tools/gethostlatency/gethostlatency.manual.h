// The manual of strata gethostlatency.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kGethostlatencyManual =
    "A line for each lookup of a host by a C library (getaddrinfo, gethostbyname and friends, getnameinfo), when it "
    "returns: who, how long it took, the result, and the name.\n\n"
    "The shop hangs for some seconds now and then, and all that it says is \"slow\". Is it the database, or is it "
    "finding "
    "the database?\n\n"
    "  # strata gethostlatency -c shop\n"
    "  TIME                PID COMM            LATENCY RESULT         HOST\n"
    "  22:28:27.085462   12604 shop              147us ok             localhost\n"
    "  22:28:32.095541   12604 shop              5.01s ok             db.shop.lan\n"
    "  22:28:37.099779   12604 shop              5.00s EAI_NONAME     cache.shop.lan\n\n"
    "What /etc/hosts has comes at once. All else takes five seconds, found or not: the time after which a resolver "
    "asks its second DNS server. The first one of /etc/resolv.conf does not answer. Failures alone: -x; slow ones "
    "alone: -m 100ms; certain names: --host '*.lan'. Ctrl-C also shows who still waits.\n\n"
    "OVERHEAD. On 6.1 a lookup of localhost costs 7178 instructions more with the lines thrown away, 1374 of them in "
    "four "
    "programs (getaddrinfo calls a second function); libbpf-tools 0.37 adds 23129, of which 4461 in two.\n\n"
    "CAVEATS. Seen are programs with a C library, shared (glibc, musl, in containers, of 32 bits) or static with "
    "symbols. Static programs without are named on stderr; what has a resolver of its own (Go, c-ares) is not seen. "
    "strata help gethostlatency says more.";

inline constexpr std::string_view kGethostlatencyDetails =
    "RESULT. ok; EAI_... of getaddrinfo and getnameinfo; HOST_NOT_FOUND, TRY_AGAIN, NO_RECOVERY or NO_DATA (h_errno) "
    "of gethostbyname, gethostbyname2, gethostbyaddr and the same with _r; an errno, as ERANGE if the caller's room "
    "was "
    "too small, after which it usually calls again. \"unfinished\": the thread was killed while it waited, or a jump "
    "(an alarm) left the function. \"under way\": it still waited when the run ended. The peers show nothing of "
    "either. HOST is the address where a name is asked "
    "for. Names of up to 262 bytes are whole (a valid one has 253); longer ones end with \"...\". Functions that call "
    "each other are one lookup, by the outermost; --columns call,... shows which.\n\n"
    "WHERE. Probes are in every C library that a process has mapped, whatever its mount namespace, and in those that "
    "lie where they usually are, below each process's root; in static programs that have the functions among their "
    "symbols; with -v each file is named. When a program begins while strata runs, its files are looked at: a library "
    "that nobody had before (of a new container) has its probes some milliseconds later, and what its first program "
    "looks up until then is missed. That of programs already looked at is noticed ten seconds after it was replaced, "
    "at the latest. -p looks at the files of these processes alone, -- COMMAND at those of what it starts, -l FILE at "
    "this file alone.\n\n"
    "MORE CAVEATS. All processes that call the functions pay for the probes, also those that a filter excludes. A "
    "name that is not in memory when the function begins is read when it returns; if it cannot be read at all, that is "
    "counted as a loss. At most 4096 lookups at a time are remembered, by thread number modulo that; one that is "
    "overwritten is counted. The errno of EAI_SYSTEM, and what a name resolved to, are not shown. Not seen: "
    "getaddrinfo_a (its threads' getaddrinfo is), lookups by D-Bus or varlink to systemd-resolved, and those that "
    "began before strata. The libraries for -c are found by all programs, because threads rename themselves.\n\n"
    "BESIDE THE TWINS (scripts/twins, 6.12). Of 19 calls of all functions and one that is killed, libbpf-tools 0.37 "
    "shows 11 "
    "(it has probes in getaddrinfo, gethostbyname and gethostbyname2 alone) and bpftrace 0.27 shows 18, with the "
    "pointer "
    "where an address is; neither says which of them failed, and of 19 calls of a static program they show none.\n\n"
    "The price in more detail. A probe is a trap, whoever sets it: 6341 of those instructions stay where a filter lets "
    "nothing pass. On a terminal each letter costs some 300 instructions more, whoever writes it: there libbpf-tools "
    "adds "
    "37221.";

}  // namespace strata
