# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two network namespaces joined by a pair of virtual Ethernet devices, for a test that says `network=veth`, or
# `network=netem` if it also calls netem. POSIX sh; sourced by lib.sh. run() may use, before a command:
#   AT_CLIENT, AT_SERVER   run it in that namespace, whose end of the pair is eth0
#   ACROSS                 "$WORKLOADS/sockets": its server at the server's, its client at the client's
# and CLIENT_4 CLIENT_6 SERVER_4 SERVER_6, the addresses. A namespace counts for itself alone: snmp.
NETWORK=''
CLIENT_ETHERNET=02:00:00:00:00:01 SERVER_ETHERNET=02:00:00:00:00:02
CLIENT_4=10.99.0.1 SERVER_4=10.99.0.2 CLIENT_6=fd99::1 SERVER_6=fd99::2

# Skips the test where it cannot be had: make_network veth|netem
make_network() {
	need ip tc nsenter
	NETWORK=strata.$$
	for end in client server; do
		ip netns add "$NETWORK.$end" 2>/dev/null || skip "network namespaces cannot be made here"
	done
	ip -n "$NETWORK.client" link add eth0 address "$CLIENT_ETHERNET" type veth peer name eth0 address "$SERVER_ETHERNET" \
		netns "$NETWORK.server" 2>/dev/null || skip "this kernel has no veth"
	start_end client "$CLIENT_4" "$CLIENT_6" "$SERVER_4" "$SERVER_6" "$SERVER_ETHERNET"
	start_end server "$SERVER_4" "$SERVER_6" "$CLIENT_4" "$CLIENT_6" "$CLIENT_ETHERNET"
	wait_until is_up client
	wait_until is_up server
	AT_CLIENT="nsenter --net=/run/netns/$NETWORK.client"
	AT_SERVER="nsenter --net=/run/netns/$NETWORK.server"
	ACROSS="$AT_SERVER env CLIENT_NETNS=/run/netns/$NETWORK.client SERVER_4=$SERVER_4 SERVER_6=$SERVER_6"
	[ "$1" = veth ] || try_netem
}

try_netem() {
	netem client delay 1ms 2>/dev/null || skip "this kernel has no netem"
	no_netem client
}

# Nobody needs to ask where the other end is, or whether an address is in use: the first packet goes at once.
start_end() { # END IPV4 IPV6 OTHER-IPV4 OTHER-IPV6 OTHER-ETHERNET
	ip -n "$NETWORK.$1" link set lo up
	ip -n "$NETWORK.$1" address add "$2/24" dev eth0
	ip -n "$NETWORK.$1" address add "$3/64" dev eth0 nodad
	ip -n "$NETWORK.$1" link set eth0 up
	ip -n "$NETWORK.$1" neighbour replace "$4" lladdr "$6" dev eth0 nud permanent
	ip -n "$NETWORK.$1" neighbour replace "$5" lladdr "$6" dev eth0 nud permanent
	# What one connection learnt is not the next one's.
	nsenter --net="/run/netns/$NETWORK.$1" sh -c 'echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save'
}

is_up() { # END
	ip -n "$NETWORK.$1" link show eth0 2>/dev/null | grep -q 'state UP'
}

# What leaves that end from now on: netem client delay 20ms loss 3% reorder 25%
netem() { # client|server OPTION...
	end=$1
	shift
	tc -n "$NETWORK.$end" qdisc replace dev eth0 root netem "$@"
}

no_netem() { # client|server
	tc -n "$NETWORK.$1" qdisc del dev eth0 root
}

# What the namespaces have counted of a name in /proc/net/snmp or netstat, both together: snmp RetransSegs
snmp() {
	for at in "$AT_CLIENT" "$AT_SERVER"; do
		$at cat /proc/net/snmp /proc/net/netstat
	done | awk -v name="$1" 'NR % 2 { split($0, names); next }
		{ for (i = 2; i <= NF; i++) if (names[i] == name) all += $i }
		END { print all + 0 }'
}

remove_network() {
	for end in client server; do
		ip netns del "$NETWORK.$end" 2>/dev/null
	done
	NETWORK=''
}
