# For tests/live/all.
# shellcheck disable=SC2034 # for tests/live/all
often='--interval 50ms'
mistakes="
2 --by moon not 'moon'
2 --calls moon not 'moon'
2 --calls read,
2 --calls EMPTY
2 --error moon not 'moon'
2 --error 0
2 --error 4096
2 --error EMPTY
"
