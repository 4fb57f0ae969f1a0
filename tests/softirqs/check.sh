# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The sender has run NET_RX once for each datagram, but for at most one each time that ksoftirqd took over, and for other
# packets that came to the machine: sent NAME
sent() {
	local seen least most
	seen=$(gojq -s '[.[] | select(.name == "NET_RX").count] | add // 0' "$1")
	read -r least most < <(notes "$1" | gojq -r '"\(1009 - .[2] + .[0]) \([1009, .[3] - .[1]] | max)"')
	[ "$seen" -ge "$least" ] && [ "$seen" -le "$most" ] || wrong "$1: NET_RX: $seen, but between $least and $most is right"
	[ "$seen" -gt 500 ] || wrong "$1: NET_RX: $seen"
	no_loss "$1"
}
