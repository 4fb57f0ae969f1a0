# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tables of part follow, from what two guests printed.
$1 == "cost" { v[FILENAME, $2, $3, $4] = $5; if (!(FILENAME in seen)) { seen[FILENAME] = 1; file[++files] = FILENAME } next }
FILENAME == ARGV[1] && $1 != "program" { other[++others] = $0 }
FILENAME == ARGV[1] && $1 == "program" { program[++programs] = $0 }
function mean(way, state, op) { return (v[file[1], way, state, op] + v[file[2], way, state, op]) / 2 }
function apart(way, state, op,    d) {
  d = 100 * (v[file[1], way, state, op] / v[file[2], way, state, op] - 1)
  d = d < 0 ? -d : d
  if (d > worst) worst = d
  return d
}
function one(way, state, op) { apart(way, state, op); return sprintf("%.0f", mean(way, state, op)) }
function row(way, title, op,    base, empty, rare, sampled) {
  base = mean("-", "untraced", op); empty = mean(way, "empty", op)
  rare = mean(way, "rare", op); sampled = mean(way, "sampled", op)
  printf "| %s | %s | %s | %s | %s | %s |", way, title, one("-", "untraced", op), one(way, "empty", op), one(way, "rare", op), one(way, "sampled", op)
  printf " %.1f %% | %.1f %% | %.1f %% | %.3f | %.3f | %s |\n", 100 * (empty / base - 1), 100 * (rare / base - 1), 100 * (sampled / base - 1), rare / empty, sampled / empty, sampled / empty <= 1.10 ? "reached" : "MISSED"
}
function way_rows(way) {
  if (!((file[1], way, "empty", "null") in v)) return
  row(way, "4 KiB to a dirty page of the cache", "rewrite"); row(way, "4 KiB to a new page of the cache", "extend"); row(way, "512 bytes to /dev/null", "null")
}
function aim(    share) {
  if (!((file[1], "functions", "sampled", "rewrite") in v)) return
  share = 100 * (mean("functions", "sampled", "rewrite") / mean("-", "untraced", "rewrite") - 1)
  printf "Aim: below 4 %% of a 4 KiB page-cache write by functions: %.1f %%, %s; the empty programs alone take %.1f %%.\n", share, share < 4 ? "reached" : "MISSED", 100 * (mean("functions", "empty", "rewrite") / mean("-", "untraced", "rewrite") - 1)
}
END {
  print "| way | operation | untraced | empty | nothing sampled | 1/1000 | empty adds | nothing sampled adds | 1/1000 adds | nothing sampled / empty | 1/1000 / empty | aim: <= 1.10 of empty |"
  print "|---|---|---|---|---|---|---|---|---|---|---|---|"
  way_rows("functions"); way_rows("tracepoints")
  print ""
  aim()
  for (key in v) { split(key, part, SUBSEP); both[part[2], part[3], part[4]]++ }
  for (key in both) { compared++; if (both[key] != 2) alone = 1 }
  failed = !compared || alone || worst > agreement
  printf "The two boots differ by at most %.2f %% (%s).\n", worst, failed ? "THEY DO NOT AGREE" : "they agree"
  for (i = 1; i <= others; i++) {
    split(other[i], w, " ")
    if (w[1] == "ready") printf "By %s: %.0f virtual ms from exec to attached (millions of instructions and idle waits). ", w[2], w[3]
    else if (w[1] == "memory") printf "By %s: at most %.1f MiB of memory.\n", w[2], w[3] / 1024
    else print other[i]
  }
  print "\n| way | program, nothing sampled | runs | instructions per run | bytes of machine code | instructions that the verifier walked |\n|---|---|---|---|---|---|"
  for (i = 1; i <= programs; i++) {
    split(program[i], w, " "); sub(/__.*/, "", w[3]); walked[w[2]] += w[7]
    if (w[4]) printf "| %s | %s | %d | %s | %d | %d |\n", w[2], w[3], w[4], w[5], w[6], w[7]
  }
  print ""
  for (i in walked) printf "To load all programs by %s, the verifier walked %d instructions.\n", i, walked[i]
  exit failed
}
