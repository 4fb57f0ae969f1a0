# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# What the scripts of this directory share. They are run by the Makefile, which says VERSION and B, the build directory; and
# BUILT=1 in a trial of the packaging alone: packages are then made of the objects of this build, without debug symbols.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
: "${VERSION:?is said by the Makefile (try: make dist)}" "${B:?}"
# shellcheck disable=SC2034 # for the scripts
BUILT=${BUILT:-} STATIC=${STATIC-yes}
# Of a cross build, which takes its pages from a binary of this machine: absolute, as packages are built in unpacked sources.
CROSS=${CROSS:-} SYSROOT=${SYSROOT:-}
[ -z "$SYSROOT" ] || SYSROOT=$(realpath "$SYSROOT")
if [ -n "$CROSS" ]; then HOST_STRATA=$(realpath -m "$HOST_STRATA"); else unset HOST_STRATA; fi
# shellcheck disable=SC2034
DIST=$PWD/build/dist
# shellcheck disable=SC2034
NAME=strata-$VERSION

say() { echo "$(basename "$0"): $*" >&2; }
die() { say "$*"; exit 1; }

# The time of all that is made: the commit's; in unpacked sources, whose files all have it, a file's.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
	SOURCE_DATE_EPOCH=$([ -e .git ] && git log -1 --format=%ct || stat -c %Y Makefile)
fi
export SOURCE_DATE_EPOCH
export LC_ALL=C.UTF-8 TZ=UTC

# Who is responsible, "NAME <ADDRESS>", from the one place that has it.
maintainer() { sed -n 's/^Maintainer: //p' scripts/packaging/debian/control; }

# The objects of this build for the sources in DIRECTORY: all of one age, and newer than those.
lend_objects() { # DIRECTORY
	mkdir -p "$1/$B"
	cp -r "$B"/{bpf,gen,obj,libstrata.a} "$1/$B/"
	find "$1/build" -exec touch -h -d "@$(date +%s)" {} +
}
