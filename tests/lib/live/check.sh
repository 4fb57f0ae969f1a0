# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What a test's check() may use, besides lib.sh; bash and jq. The current directory holds what tests/lib/live/one left: stdout,
# stderr, ...

# The helpers use gojq, which starts in 2 ms: jq 1.6 of Debian 12 takes 17, two fifths of what all live tests cost. It writes the
# keys of an object sorted, has no keys_unsorted, and its regular expressions look neither ahead nor back: jq is there for that.

# wrong MESSAGE: notes a difference; the test goes on, so that all differences are seen.
wrong() {
	echo "$*" >>wrong
}

# Lines of a file, or stdout, that match, as a JSON array, or what a filter makes of it.
lines() { # CONDITION [FILE [FILTER]]
	gojq -c -n "[inputs | select($1)] | ${3:-.}" <"${2:-stdout}" 2>/dev/null || echo '"(not JSON)"'
}

# same WHAT WANTED GOT
same() {
	[ "$2" = "$3" ] || wrong "$1: wanted $2, got $3"
}

between() { # WHAT [LEAST,MOST] GOT
	[ "$(gojq -n "$2 | .[0] <= $3 and $3 <= .[1]")" = true ] || wrong "$1: wanted one of $2, got $3"
}

# since VERSION RELEASE: the kernel of that release has what the version brought.
since() {
	[ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

# notes KEY: all values of a note, in order, in one line.
notes() {
	grep '"type":"note"' stdout | gojq -r "select(has(\"$1\")) | .$1" | paste -sd ' '
}

# says TEXT: stderr holds it in a line.
says() {
	grep -qF -- "$1" "${2:-stderr}" || wrong "stderr lacks '$1': $(head -c 300 "${2:-stderr}")"
}

# Nothing was lost in any of these.
no_loss() {
	local losses
	losses=$(gojq -r -n 'reduce (inputs | select(.type == "end")) as $one ([$ARGS.positional[] | {file: ., losses: []}];
		map(if .file == ($one | input_filename) then .losses += [$one.lost] else . end))
		| map(select(.losses != [{}])) | .[] | "\(.file): \(.losses)"' "$@" --args "$@" 2>&1)
	[ -z "$losses" ] || wrong "losses of $losses"
}

# ended REASON FILE...: each is a whole stream of JSON without a row, from its run to its end, which came for that reason
ended() {
	local reason=$1 file
	shift
	for file in "$@"; do
		same "$file" "[\"run\",[\"end\",\"$reason\",0,{}]]" \
			"$(lines true "$file" 'map(if .type == "end" then [.type, .reason, .rows, .lost] else .type end)')"
	done
}

# alike FILE AGAIN [WHAT]: a replay says the same as the run, but that it is a replay, and why that ended.
alike() {
	local once='s/^(\{"type":"run",.*,"replay":)[a-z]+/\1/; s/^(\{"type":"end","reason":)"[^"]*"/\1/'
	cmp -s "$1" "$2" || cmp -s <(sed -E "$once" "$1") <(sed -E "$once" "$2") ||
		wrong "${3:+$3: }a replay says another $1: $(diff "$1" "$2" | head -n 4 | cut -c 1-200)"
}

# None of these files has an address in the kernel, as a decimal (other than a small negative number) or in hex.
no_kernel_addresses() {
	local found
	found=$(grep -oE '\b18446[67][0-9]{14}\b|(0x|\b)ffff[89a-f][0-9a-f]{11}\b' "$@" /dev/null | grep -v ':18446744073709' | head -n 3)
	[ -z "$found" ] || wrong "addresses in the kernel: $found"
}

# values FILE [FILTER]: how many values are in the histograms that jq's FILTER selects
values() {
	lines '.type == "histogram"' "$1" "map(select(${2-true}).count) | add // 0"
}
