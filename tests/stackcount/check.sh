# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For check() of these tests: calls in rows of FILE for which a condition of jq holds.
calls() { # FILE [CONDITION]
	lines '.type == "row"' "$1" "map(select(${2-true}).count) | add // 0"
}

# called FILE COUNT FUNCTION [CONDITION]: so often, each time from work() with all of its callers.
called() {
	same "$1: $3()" "$2" "$(calls "$1" "${4-true} and (.stack | index(\"$3\"))")"
	same "$1: $3(), not from work() below 13 frames of down()" 0 "$(calls "$1" "${4-true} and (.stack | index(\"$3\")) and
		((.stack | index(\"work\") | not) or (.stack | map(select(. == \"down\")) | length) != 13 or .stack[-1] != \"_start\")")"
}
