# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the tests of gethostlatency share: names are those of a hosts file and of a DNS server that is not there.

# resolving COMMAND...: with such names, in a mount namespace of its own.
resolving() {
	printf '127.0.0.1 localhost\n::1 localhost\n' >"$DIR/hosts"
	printf 'nameserver 127.47.11.53\noptions timeout:1 attempts:1\n' >"$DIR/resolv.conf"
	[ -e /etc/hosts ] || : >/etc/hosts
	[ -e /etc/resolv.conf ] || : >/etc/resolv.conf
	cat >"$DIR/resolving" <<-END
		mount --bind $DIR/hosts /etc/hosts && mount --bind $DIR/resolv.conf /etc/resolv.conf && exec "\$@"
	END
	unshare -m sh "$DIR/resolving" "$@"
}

# The ways to have a C library that this machine can build and a test needs.
variants() {
	for one in resolves resolves-static resolves-musl resolves-32; do
		[ $one != resolves-32 ] || [ -z "${NO_CALL32-}" ] || continue
		[ ! -x "$WORKLOADS/$one" ] || echo $one
	done
}
