# shellcheck shell=bash
# Where Debian packages come from on this machine, for the scripts that fetch some without touching its configuration.

# Prints the Debian mirror and, second, the security mirror of the machine's own sources, without needing its lists. A third
# party may call its suite "bookworm" as well; Debian is the one that has "-updates" beside it. $1 is a directory that
# does not exist; the caller has die().
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
