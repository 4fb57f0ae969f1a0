# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tables of part native. Ratios are taken within a round, then summed up: noise that lasts longer than a round cancels.
function sort(a, n,    i, j, x) {
  for (i = 2; i <= n; i++) { x = a[i]; for (j = i - 1; j > 0 && a[j] > x; j--) a[j + 1] = a[j]; a[j + 1] = x }
}
function quantile(a, n, q,    at, low) {
  at = 1 + (n - 1) * q; low = int(at)
  return low >= n ? a[n] : a[low] + (at - low) * (a[low + 1] - a[low])
}
{ v[$1, $2, $3] = $4; if ($3 > rounds) rounds = $3 }
function cell(over, under, op, form,    a, n, r) {
  for (r = 1; r <= rounds; r++) if ((over, op, r) in v) a[++n] = v[over, op, r] / (under == "" ? 1 : v[under, op, r])
  sort(a, n)
  median = quantile(a, n, 0.5)
  return sprintf(form " (" form "-" form ")", median, quantile(a, n, 0.25), quantile(a, n, 0.75))
}
function row(title, op,    state, line, n, s) {
  n = split("untraced empty rare sampled", s, " ")
  for (state = 1; state <= n; state++) line = line " " cell(s[state], "", op, "%.0f") " |"
  ratios = ratios "| " title " | " cell("empty", "untraced", op, "%.3f") " | " cell("sampled", "untraced", op, "%.3f")
  ratios = ratios " | " cell("rare", "empty", op, "%.3f") " | " cell("sampled", "empty", op, "%.3f") " | "
  ratios = ratios (median <= 1.10 ? "reached" : "MISSED") " |\n"
  print "| " title " |" line
}
END {
  print "| ns of CPU time per operation: median (quartiles) | untraced | empty programs | follow, nothing sampled | follow 1/1000 |"
  print "|---|---|---|---|---|"
  row("dd of=FILE bs=4k", "truncate"); row("dd of=FILE bs=4k conv=notrunc", "overwrite")
  row("dd of=/dev/null bs=512 (a read and a write)", "dd-null")
  print "\n| ratio | empty / untraced | follow 1/1000 / untraced | nothing sampled / empty | follow 1/1000 / empty | aim: <= 1.10 of empty |"
  print "|---|---|---|---|---|---|"
  printf "%s", ratios
}
