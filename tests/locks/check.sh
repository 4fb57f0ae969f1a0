# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For check() of these tests: of rows of FILE for which a condition of jq holds, the sum of a column.
sum() { # COLUMN FILE [CONDITION]
	lines '.type == "row"' "$2" "map(select(${3-true}).$1) | add // 0"
}

# about WHAT WANTED GOT PART: not more than one PART-th of WANTED apart.
about() {
	local apart=$(($2 > $3 ? $2 - $3 : $3 - $2))
	[ $((apart * $4)) -le "$2" ] || wrong "$1: wanted about $2, got $3"
}

# A busy host may be late to look at a program that begins.
hardly() { # WHAT GOT
	[ "$2" -le 1 ] || wrong "$1: wanted 1 at most, got $2"
}

# waited KIND TYPE RESULT OWNER SOURCE
waited() {
	local ran rows
	ran=$(lines ".kind == \"$1\"" stdout '.[0]')
	[ "$(gojq .result <<<"$ran")" != -1 ] || return 0 # the kernel has no such call
	rows=".tgid == $(gojq .pid <<<"$ran") and .comm == \"waiter\" and (.lock_type | startswith(\"k\") | not)"
	same "$1: waits" "$(gojq .waits <<<"$ran")" "$(sum count all "$rows")"
	# An emulated CPU comes late from the lock to the clock.
	about "$1: their time" "$(gojq .wait_ns <<<"$ran")" "$(sum total_ns all "$rows")" "$([ -e guest ] && echo 3 || echo 50)"
	# On a busy host a lock comes just when the wait for it times out.
	[ "$(sum count all "$rows and .result == \"$3\"")" -ge 5 ] || wrong "$1: hardly any wait was $3"
	are "$1" "$rows and .result == \"$3\"" "$2" "$3" "$4" "$5"
	[ "$5" != waker ] || [ "$1" = join ] ||
		hardly "$1: without the stack that releases, above the rule" "$(sum count all "$rows and (.stack | index(\"release\") == null or index(\"release\") > index(\"--\"))")"
}

# are KIND ROWS TYPE RESULT OWNER SOURCE
are() {
	same "$1: what they are" "[[\"$3\",\"$4\",\"$5\",\"$6\"]]" \
		"$(lines ".type == \"row\" and $2" all 'map([.lock_type, .result, (.owner // "" | sub("[0-9]+"; "N")), .owner_source]) | unique')"
	hardly "$1: elsewhere, or cut short" "$(sum count all "$2 and ((.stack | index(\"wait_for\")) == null or (.stack[-1] | startswith(\"[\")))")"
}
