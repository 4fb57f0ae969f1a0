# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Debian packages, for the scripts that need some installed or fetch some without touching the machine's configuration. The
# caller has die().

# Ends the script unless all is there: PROGRAM:PACKAGE, or /FILE:PACKAGE.
need_packages() {
  local pair missing=''
  for pair in "$@"; do
    case $pair in
      /*) [ -r "${pair%%:*}" ] ;;
      *) PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%:*}" >/dev/null ;;
    esac || missing+=" ${pair#*:}"
  done
  [ -z "$missing" ] || die "missing Debian packages:$missing (try: apt-get install$missing)"
}

# Prints the version of a package in a Debian tree, without what Debian has added to it.
package_version() { # TREE PACKAGE
  awk -v package="$2" '$1 == "Package:" { here = $2 == package } here && $1 == "Version:" { print $2; exit }' \
    "$1/var/lib/dpkg/status" | sed 's/[+-].*//'
}

# Prints the Debian mirror and, second, the security mirror of the machine's own sources, without needing its lists. A third
# party may call its suite "bookworm" as well; Debian is the one that has "-updates" beside it. $1 is a directory that
# does not exist.
mirrors() {
  local codename uris main security
  if [ -n "${STRATA_MIRROR:-}" ]; then
    echo "$STRATA_MIRROR ${STRATA_MIRROR%/}-security"
    return
  fi
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-none}")
  uris=$(apt-get --print-uris -o Dir::State::lists="$1" update 2>/dev/null |
    sed -n "s,^'\(.*\)/dists/\([^/]*\)/InRelease'.*,\2 \1,p")
  main=$(awk -v suite="$codename-updates" '$1 == suite { print $2; exit }' <<<"$uris")
  [ -n "$main" ] || main=$(awk -v suite="$codename" '$1 == suite && $2 ~ /debian\/?$/ { print $2; exit }' <<<"$uris")
  security=$(awk -v suite="$codename-security" '$1 == suite { print $2; exit }' <<<"$uris")
  [ -n "$main" ] || die "apt's sources name no Debian mirror for '$codename' (set STRATA_MIRROR=URI)"
  echo "$main ${security:-${main%/}-security}"
}
