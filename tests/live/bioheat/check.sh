# io FILE [FILTER]: how many I/Os the histograms have that jq's FILTER selects
io() {
	lines '.type == "histogram"' "$1" | jq "map(select(${2-true}).count) | add // 0"
}
