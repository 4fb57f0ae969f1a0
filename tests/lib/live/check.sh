# What a test's check() may use, besides lib.sh; bash and jq. The current directory holds what tests/lib/live/one left: stdout,
# stderr, ...

# wrong MESSAGE: notes a difference; the test goes on, so that all differences are seen.
wrong() {
	echo "$*" >>wrong
}

# Lines of stdout that match, as a JSON array: lines '.type == "sample"'
lines() {
	jq -c -n "[inputs | select($1)]" <"${2:-stdout}" 2>/dev/null || echo '"(not JSON)"'
}

# same WHAT WANTED GOT
same() {
	[ "$2" = "$3" ] || wrong "$1: wanted $2, got $3"
}

# notes KEY: all values of a note, in order, in one line.
notes() {
	grep '"type":"note"' stdout | jq -r "select(has(\"$1\")) | .$1" | paste -sd ' '
}

# says TEXT: stderr holds it in a line.
says() {
	grep -qF -- "$1" "${2:-stderr}" || wrong "stderr lacks '$1': $(head -c 300 "${2:-stderr}")"
}

# Nothing was lost in any of these.
no_loss() {
	for file; do same "losses of $file" '[{}]' "$(lines '.type == "loss"' "$file" | jq -c 'map(.loss)')"; done
}

# values FILE [FILTER]: how many values are in the histograms that jq's FILTER selects
values() {
	lines '.type == "histogram"' "$1" | jq "map(select(${2-true}).count) | add // 0"
}
