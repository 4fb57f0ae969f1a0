# For tests/lib/all.
often='--interval 50ms'
mistakes="
2 --blocked
2 --output=perfetto
"
