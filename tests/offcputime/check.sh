# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For check() of these tests: time off the CPU in rows of FILE for which a condition of jq holds, and how often.
off() { # FILE [CONDITION]
	lines '.type == "row"' "$1" "map(select(${2-true}).total_ns) | add // 0"
}

times() { # FILE [CONDITION]
	lines '.type == "row"' "$1" "map(select(${2-true}).count) | add // 0"
}

# about WHAT WANTED GOT PART: not more than one PART-th of WANTED apart.
about() {
	local apart=$(($2 > $3 ? $2 - $3 : $3 - $2))
	[ $((apart * $4)) -le "$2" ] || wrong "$1: wanted about $2, got $3"
}
