# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two network namespaces, for a test that says how they are joined: `network=veth`, by a pair of virtual Ethernet devices; `netem`, by
# the same, and it also calls netem; `bridge`, each by such a pair with a bridge in a third namespace, as containers are; `vlan`
# and `vxlan`, by those on top of a pair. POSIX sh; sourced by lib.sh. run() may use, before a command:
#   AT_CLIENT, AT_SERVER   run it in that namespace, whose device is eth0
#   ACROSS                 "$WORKLOADS/sockets": its server at the server's, its client at the client's
#   TO_BRIDGE              the same, its server at the bridge's, which has an address of its own, as the host of containers
# and CLIENT_4 CLIENT_6 SERVER_4 SERVER_6, the addresses. A namespace counts for itself alone: snmp.
NETWORK=''
CLIENT_ETHERNET=02:00:00:00:00:01 SERVER_ETHERNET=02:00:00:00:00:02
CLIENT_4=10.99.0.1 SERVER_4=10.99.0.2 CLIENT_6=fd99::1 SERVER_6=fd99::2 BRIDGE_4=10.99.0.3

# Skips the test where it cannot be had: make_network veth|netem|bridge|vlan|vxlan
make_network() {
	need ip tc nsenter
	NETWORK=strata.$$
	for end in client server; do
		ip netns add "$NETWORK.$end" 2>/dev/null || skip "network namespaces cannot be made here"
	done
	case $1 in
	bridge) join_by_bridge ;;
	vlan | vxlan) join_by_"$1" ;;
	*) join_by_veth eth0 ;;
	esac || skip "this kernel has no $1"
	start_end client "$CLIENT_4" "$CLIENT_6" "$SERVER_4" "$SERVER_6" "$SERVER_ETHERNET"
	start_end server "$SERVER_4" "$SERVER_6" "$CLIENT_4" "$CLIENT_6" "$CLIENT_ETHERNET"
	wait_until is_up client
	wait_until is_up server
	AT_CLIENT="nsenter --net=/run/netns/$NETWORK.client"
	AT_SERVER="nsenter --net=/run/netns/$NETWORK.server"
	ACROSS="$AT_SERVER env CLIENT_NETNS=/run/netns/$NETWORK.client SERVER_4=$SERVER_4 SERVER_6=$SERVER_6"
	TO_BRIDGE="nsenter --net=/run/netns/$NETWORK.between env CLIENT_NETNS=/run/netns/$NETWORK.client SERVER_4=$BRIDGE_4"
	[ "$1" != netem ] || try_netem
}

join_by_veth() { # NAME
	ip -n "$NETWORK.client" link add "$1" address "$CLIENT_ETHERNET" type veth peer name "$1" address "$SERVER_ETHERNET" \
		netns "$NETWORK.server" 2>/dev/null
}

join_by_bridge() {
	ip netns add "$NETWORK.between"
	ip -n "$NETWORK.between" link add bridge type bridge forward_delay 0 2>/dev/null || return
	ip -n "$NETWORK.between" link set bridge up
	ip -n "$NETWORK.between" address add "$BRIDGE_4/24" dev bridge
	for end in client server; do
		[ $end = client ] && address=$CLIENT_ETHERNET || address=$SERVER_ETHERNET
		ip -n "$NETWORK.$end" link add eth0 address "$address" type veth peer name port-$end netns "$NETWORK.between" 2>/dev/null || return
		ip -n "$NETWORK.between" link set port-$end master bridge up
	done
}

join_by_vlan() {
	join_by_veth below || return
	for end in client server; do
		ip -n "$NETWORK.$end" link set below up
		ip -n "$NETWORK.$end" link add link below name eth0 type vlan id 7 2>/dev/null || return
	done
}

# A tunnel: Ethernet within UDP.
join_by_vxlan() {
	join_by_veth below || return
	start_tunnel client 1 2 "$CLIENT_ETHERNET" && start_tunnel server 2 1 "$SERVER_ETHERNET"
}

start_tunnel() { # END OWN-NUMBER OTHER-NUMBER ETHERNET
	ip -n "$NETWORK.$1" address add "10.98.0.$2/24" dev below
	ip -n "$NETWORK.$1" link set below up
	ip -n "$NETWORK.$1" link add eth0 address "$4" type vxlan id 7 remote "10.98.0.$3" dstport 4789 dev below 2>/dev/null
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
	ip -n "$NETWORK.$1" link show eth0 2>/dev/null | grep -q 'LOWER_UP'
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
	for end in client server between; do
		ip netns del "$NETWORK.$end" 2>/dev/null
	done
	NETWORK=''
}
