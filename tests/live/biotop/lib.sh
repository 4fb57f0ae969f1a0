# As biosnoop's.
. "${0%/*}/biosnoop/lib.sh"
