# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The native table of part dd from lines "STATE NS". Set: wanted, the states in order.

{ value[$1, ++count[$1]] = $2 }

# The part-th part of the sorted figures: 0.5 is the median.
function quantile(state, part,    n, i, j, t, list) {
  n = count[state]
  for (i = 1; i <= n; i++) list[i] = value[state, i]
  for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
  i = 1 + (n - 1) * part
  j = int(i)
  return list[j] + (j < n ? (i - j) * (list[j + 1] - list[j]) : 0)
}

END {
  print "| state | median ns (quartiles) | ratio of medians |"
  print "|---|---|---|"
  states = split(wanted, list, " ")
  for (s = 1; s <= states; s++) {
    if (!count[list[s]]) { printf "| %s | this machine does not permit it | |\n", list[s]; continue }
    printf "| %s | %.0f (%.0f-%.0f) | %.3f |\n", list[s], quantile(list[s], 0.5), quantile(list[s], 0.25), quantile(list[s], 0.75), \
      quantile(list[s], 0.5) / quantile("untraced", 0.5)
  }
}
