# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For check() of these tests: samples in rows of FILE for which a condition of jq holds.
samples() { # FILE [CONDITION]
	lines '.type == "row"' "$1" "map(select(${2-true}).samples) | add // 0"
}

# At least so many of a hundred samples. A run has the samples that its time makes, within a tenth.
share_of() { # WHAT FILE PERCENT CONDITION
	local all some
	all=$(samples "$2")
	some=$(samples "$2" "$4")
	[ "$((100 * some))" -ge "$((all * $3))" ] || wrong "$1: $some of $all samples"
}
