# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tables of part flood, from lines of tab-separated figures (measure() in parts/flood). Ends with 1 if what a tool of
# strata delivered and what it said it lost do not add up to what was produced. Set: n, rates.

BEGIN { FS = "\t" }
$2 == "untraced" { keep("us", $1, $2, 0, $5); next }
{
  if (!(($1, $2) in seen)) { seen[$1, $2] = 1; order[++tools] = $1 SUBSEP $2 }
  if ($3 == "fails") { failure[$1, $2] = $4; failures[$1, $2]++; next }
  produced[$1, $2, $3] = $4
  keep("us", $1, $2, $3, $5); keep("reached", $1, $2, $3, $6); keep("delivered", $1, $2, $3, $7); keep("said", $1, $2, $3, $8)
  keep("silent", $1, $2, $3, $4 - $7 - $8); keep("attached", $1, $2, 0, $11); keep("peak", $1, $2, 0, $12 / 1024)
  if ($9 != "-") keep("hops", $1, $2, $3, $9)
  if ($10 != "-" && $10 != "") reasons[$1, $2] = reasons[$1, $2] sprintf("- %s of %s, at %d/s: %s\n", $2, $4, $6, $10)
  if ($2 ~ /^strata/) { runs[$1, $2]++; if ($4 != $7 + $8) wrong[$1, $2] = wrong[$1, $2] sprintf(" %d of %d;", $7 + $8, $4) }
}

function keep(what, operation, tool, rate, value,    key) {
  key = what SUBSEP operation SUBSEP tool SUBSEP rate
  if (!(key in least) || value < least[key]) least[key] = value
  if (!(key in most) || value > most[key]) most[key] = value
}

# The least and the most of all runs.
function range(what, operation, tool, rate, form,    key, low, high) {
  key = what SUBSEP operation SUBSEP tool SUBSEP rate
  if (!(key in least)) return "-"
  low = sprintf(form, least[key]); high = sprintf(form, most[key])
  return low == high ? low : low "-" high
}

function flat_out_row(operation, tool) {
  printf "| %s |", tool
  if (!(("us", operation, tool, 0) in least)) { print " fails: " failure[operation, tool] " | | | | | |" (operation == "write" ? " |" : ""); return }
  printf " %s | %s |", range("us", operation, tool, 0, "%.1f"), range("delivered", operation, tool, 0, "%d")
  if (operation == "write") printf " %s |", range("hops", operation, tool, 0, "%d")
  printf " %s | %s |", range("said", operation, tool, 0, "%d"), range("silent", operation, tool, 0, "%d")
  printf " %s | %s |\n", range("attached", operation, tool, 0, "%d"), range("peak", operation, tool, 0, "%.1f")
}

function flat_out(operation, unit, title,    i, part) {
  printf "\n%s: %d times, as fast as it can; the least and the most of all runs.\n\n", title, n
  printf "| tool | us per %s | %s |%s says that it lost | lost without a word | exec to attached ms | peak MiB |\n", operation, \
    (unit == "" ? "delivered" : unit), (operation == "write" ? " hops |" : "")
  print "|---|---|---|---|---|---|---|" (operation == "write" ? "---|" : "")
  printf "| untraced | %s | | | | | |%s\n", range("us", operation, "untraced", 0, "%.1f"), operation == "write" ? " |" : ""
  for (i = 1; i <= tools; i++) { split(order[i], part, SUBSEP); if (part[1] == operation) flat_out_row(operation, part[2]) }
}

function share(operation, tool, rate,    key, made) {
  key = operation SUBSEP tool SUBSEP rate
  if (!(key in produced)) return "-"
  made = produced[key]
  if (least["delivered", key] == made) return "all"
  return sprintf("%.1f %% (%s)", 100 * least["delivered", key] / made, most["silent", key] > 0 ? "silent" : "said")
}

function ladder_cell(operation, tool, rate,    cell, reached) {
  cell = share(operation, tool, rate)
  reached = least["reached", operation, tool, rate]
  return cell != "-" && (rate == 0 || reached < 0.95 * rate) ? sprintf("%s at %.0f", cell, reached) : cell
}

# The highest rate that was reached with nothing lost, at it and below.
function lossless(operation, tool, count, list,    i, best) {
  for (i = 1; i <= count; i++) {
    if (share(operation, tool, list[i]) == "-") break
    if (share(operation, tool, list[i]) != "all") return best ? sprintf("%.0f", best) : "below " list[1]
    best = least["reached", operation, tool, list[i]]
  }
  if (share(operation, tool, 0) == "all" && least["reached", operation, tool, 0] > best) return sprintf("%.0f, all that it lets through", least["reached", operation, tool, 0])
  return best ? sprintf("%.0f", best) : "-"
}

function ladder(    i, j, part, count, list) {
  count = split(rates, list, " ")
  print "\nDelivered at a steady rate of operations per second; \"said\": the tool says that it lost the rest."
  printf "\"at\": the tool slows the flood down to that rate.\n\n| tool |"
  for (j = 1; j <= count; j++) printf " %d/s |", list[j]
  print " as fast as it can | events per second without loss |"
  printf "|---|---|---|"
  for (j = 1; j <= count; j++) printf "---|"
  print ""
  for (i = 1; i <= tools; i++) {
    split(order[i], part, SUBSEP)
    if (!(("us", part[1], part[2], 0) in least)) continue
    printf "| %s |", part[2]
    for (j = 1; j <= count; j++) printf " %s |", ladder_cell(part[1], part[2], list[j])
    printf " %s | %s |\n", ladder_cell(part[1], part[2], 0), lossless(part[1], part[2], count, list)
  }
}

function sums(    i, part, bad) {
  print ""
  for (i = 1; i <= tools; i++) {
    split(order[i], part, SUBSEP)
    if ((part[1], part[2]) in failures) printf "%s: %d runs without a figure: %s.\n", part[2], failures[part[1], part[2]], failure[part[1], part[2]]
    if (!((part[1], part[2]) in runs)) continue
    if ((part[1], part[2]) in wrong) { bad = 1; printf "%s: reported + lost DOES NOT ADD UP:%s\n", part[2], wrong[part[1], part[2]] }
    else printf "%s: reported + lost = produced in each of %d runs.\n", part[2], runs[part[1], part[2]]
    if ((part[1], part[2]) in reasons) printf "Lost, each reason in its run:\n\n%s", reasons[part[1], part[2]]
  }
  return bad
}

END {
  flat_out("open", "", "One process opens a file")
  flat_out("write", "samples delivered", "One process writes 4 KiB pages, each of which is a sample")
  ladder()
  exit sums()
}
