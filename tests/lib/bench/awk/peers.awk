# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The table of part peers, from the plan of each tree, TREE.plan, and what its guest printed for each line of that: TREE.rows,
# which end with the versions of the suites.

FNR == 1 { tree = FILENAME; sub(/.*\//, "", tree); planned = sub(/\.plan$/, "", tree); sub(/\.rows$/, "", tree) }
planned { split($0, field, "\t"); command[tree, FNR] = field[7]; next }
$1 == "version" { version[$2, $3] = $4; next }
$4 == "absent" { absent[$2 " in " tree] = absent[$2 " in " tree] " " $5; next }
{
  key = $1 SUBSEP $3
  if (!(key in rows)) order[++keys] = key
  n = ++rows[key]
  of[key, n] = tree; suite[key, n] = $2; ran[key, n] = command[tree, FNR]
  if ($4 == "row") {
    for (i = 5; i <= NF; i++) value[key, n, i - 4] = $i
    bpf = $7; added = $6 - $5
    # A tool whose programs did not run at every second operation saw little; of perf and strace, which have none, the price tells.
    saw = $2 == "perf" || $2 == "strace" ? added > $5 / 100 : $8 >= 0.5
    if ($2 == "strata") blind[key, n] = !saw
    saw = saw && $2 != "strata"
    if (saw && bpf > 0 && (!(key in best_bpf) || bpf < best_bpf[key])) best_bpf[key] = bpf
    if (saw && added > 0 && (!(key in best_added) || added < best_added[key])) best_added[key] = added
  } else {
    line = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ (fails )?/, "", line); failure[key, n] = line
  }
}

function ratio(mine, best) { return best > 0 ? sprintf("%.2f", mine / best) : "-" }
# A named device makes the guest wait for the host: that is no figure of instructions.
function instructions(key, figure) { return key ~ /:/ ? "-" : sprintf("%d", figure) }
function name(key, n) { return suite[key, n] " " version[of[key, n], suite[key, n]] }
# bpftrace's own programs are too long for a table.
function what_ran(key, n) {
  if (suite[key, n] == "strata") return ran[key, n]
  return name(key, n) (ran[key, n] ~ / -e / ? "" : ": " ran[key, n])
}
function measured(key, n,    untraced, added) {
  untraced = value[key, n, 1]; added = value[key, n, 2] - untraced
  printf " %s | %s | ", instructions(key, untraced), instructions(key, added)
  printf "%d | %.2f | %d | %d | %.1f |", value[key, n, 3], value[key, n, 4], value[key, n, 5], value[key, n, 6], value[key, n, 7] / 1024
  if (blind[key, n]) print " saw nothing | |"
  else if (suite[key, n] == "strata") printf " %s | %s |\n", ratio(added, best_added[key]), ratio(value[key, n, 3], best_bpf[key])
  else print " | |"
}
function row(key, n,    part) {
  split(key, part, SUBSEP)
  printf "| %s | %s | %s |", part[1], what_ran(key, n), part[2]
  if ((key, n) in failure) print " does not start: " failure[key, n] " | | | | | | | | |"
  else measured(key, n)
}

END {
  print "| tool | peer | workload | untraced | added per op | BPF per op | programs run per op | attach ms | attach CPU ms | RSS MiB | added / best peer | BPF / best peer |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|"
  for (i = 1; i <= keys; i++) for (n = 1; n <= rows[order[i]]; n++) row(order[i], n)
  print "\nAdded is the whole system's: trampolines, wake-ups and the tool's own process included. BPF per op is what the kernel's statistics"
  print "say, which add 48 to each run of a program, 66 where it is fentry or fexit; they are off while the other columns are measured."
  print "Attach is the guest's time from exec until the tool first waits with all its programs, links and files in place (a tool that never waits is not"
  print "attached); the memory is the most that it had (VmHWM). Where no program ran, the tool attached to something that the operations do not"
  print "reach (or has no programs: perf, strace; or samples by a timer), and was not compared."
  print "bpfcc is measured when asked for (--suites bpfcc): it compiles for minutes of a guest's time."
  for (what in absent) print "Not in the tree: " what ":" absent[what] "."
}
