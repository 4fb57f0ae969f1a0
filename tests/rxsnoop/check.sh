# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# packets FILE [FILTER]: how many lines of packets jq's FILTER selects
packets() {
	lines '.type == "event"' "$1" "map(select(${2-true})) | length"
}
