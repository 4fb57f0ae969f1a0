# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The size of Debian packages with what they need, from lines of dpkg-query (query() in parts/sizes): PACKAGE, VERSION,
# INSTALLED-SIZE, ESSENTIAL, PRIORITY, DEPENDS, PROVIDES. What every Debian has, the essential and required packages and
# what these need, is nobody's cost. Set: wanted, package names. Prints PACKAGE VERSION OWN-MiB MiB-WITH-DEPENDENCIES PACKAGES.

BEGIN { FS = "\t" }
{
  version[$1] = $2; size[$1] = $3 / 1024; depends[$1] = $6
  if ($4 == "yes" || $5 == "required") basic = basic " " $1
  count = split($7, list, ",")
  for (i = 1; i <= count; i++) provider[bare(list[i])] = $1
}

# "libc6:any (>= 2.36)" is libc6.
function bare(name) {
  gsub(/[:(].*|[ \t]/, "", name)
  return name
}

# Of alternatives the one that is installed.
function installed(alternatives,    list, count, i, name) {
  count = split(alternatives, list, "|")
  for (i = 1; i <= count; i++) {
    name = bare(list[i])
    if (name in size) return name
    if (name in provider) return provider[name]
  }
  return ""
}

# Adds to set what the names need, unless stop has it.
function close_over(names, set, stop,    todo, first, last, list, count, i, name) {
  last = split(names, todo, " ")
  for (first = 1; first <= last; first++) {
    if (todo[first] in set || todo[first] in stop) continue
    set[todo[first]] = 1
    count = split(depends[todo[first]], list, ",")
    for (i = 1; i <= count; i++) if ((name = installed(list[i])) != "") todo[++last] = name
  }
}

END {
  nothing[""]
  close_over(basic, everywhere, nothing)
  count = split(wanted, names, " ")
  for (i = 1; i <= count; i++) {
    if (!(names[i] in size)) continue
    split("", set)
    close_over(names[i], set, everywhere)
    total = packages = 0
    for (one in set) { total += size[one]; packages++ }
    printf "%s\t%s\t%.1f\t%.1f\t%d\n", names[i], version[names[i]], size[names[i]], total, packages
  }
}
