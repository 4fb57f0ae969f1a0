# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The table of part dd from the guest's rows: NAME row UNTRACED TRACED BPF RUNS ..., or NAME fails SENTENCE.

BEGIN {
  title["tp"] = "tracepoint sys_enter_write"; title["raw"] = "raw_tp sys_enter"; title["btf"] = "tp_btf sys_enter"
  title["fentry"] = "fentry vfs_write"; title["fexit"] = "fexit vfs_write"; title["kprobe"] = "kprobe vfs_write"; title["kretprobe"] = "kretprobe vfs_write"
  name["perf"] = "perf record -e"; name["perf-filter"] = "perf record with a filter"; name["perf-stat"] = "perf stat"
  name["ftrace"] = "ftrace event"; name["ftrace-filter"] = "ftrace event with a filter"; name["ftrace-hist"] = "ftrace histogram trigger"
  name["bpftrace-hist"] = "bpftrace hist()"; name["iosize"] = "strata iosize (both calls)"; name["iosize-write"] = "strata iosize --calls write"
  name["iosize-process"] = "strata iosize --by process (both calls)"; name["iosize-pid"] = "strata iosize -p PID (both calls)"
  print "| what is attached | untraced | added per op | of which BPF | programs run | traced / untraced |"
  print "|---|---|---|---|---|---|"
}
function called(what,    part) {
  if (what in name) return name[what]
  split(what, part, "-")
  return title[part[1]] (part[2] == "empty" ? ", an empty program" : ", log2 map")
}
$2 == "row" { printf "| %s | %d | %d | %d | %.2f | %.2f |\n", called($1), $3, $4 - $3, $5, $6, $4 / $3; next }
{ what = called($1); sub(/^[^ ]+ (fails )?/, ""); printf "| %s | fails: %s | | | | |\n", what, $0 }
END {
  print "\nAdded is the whole system's. Of which BPF is what the kernel's statistics say; these add 48 to each run of a program, 66 where it"
  print "is fentry or fexit. On sys_enter and sys_exit a program runs at the read too."
}
