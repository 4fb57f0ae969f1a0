# What a run() of fsslower's tests may use besides tests/live/lib.sh.

# strata fsslower in JSON, with whole paths
slower() {
	"$STRATA" fsslower --json --file path $SCOPE "$@"
}
