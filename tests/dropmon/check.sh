# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# drops FILE [FILTER]: how many packets are in the rows that jq's FILTER selects
drops() {
	lines '.type == "row"' "$1" "map(select(${2-true}).drops) | add // 0"
}

# Where the kernel tells reasons, it is this one: reason_is NAME
reason_is() {
	echo "(.reason == null or .reason == \"$1\")"
}
