# What .ci/run and .ci/long share: preparing a machine, and running lists of npm scripts.
set -euo pipefail

# Runs lists of scripts. Two lists run at a time, so that one computes while the other waits. The scripts of a list run in order. Prints the
# end of a list's output when the list has ended, and at last the whole output of those that failed, so that nothing hides it. A script that
# does not end by itself is ended, so that its output says where it stopped.
lanes=2
longest=2400
together() {
  local logs list name pid status
  local -A running=()
  local -a failed=()
  logs=$(mktemp -d)
  ended() {
    if wait -n -p pid; then status=passed; else
      status=failed
      failed+=("$pid")
    fi
    tail -n 20 "$logs/$pid"
    echo "After $SECONDS s: ${running[$pid]} $status"
    unset "running[$pid]"
  }
  for list in "$@"; do
    if [ ${#running[@]} -eq $lanes ]; then ended; fi
    # shellcheck disable=SC2086
    (exec >"$logs/$BASHPID" 2>&1 && for name in $list; do timeout --verbose -k 20 $longest npm run "$name" || exit; done) &
    running[$!]=$list
  done
  while [ ${#running[@]} -gt 0 ]; do ended; done
  for pid in "${failed[@]}"; do cat "$logs/$pid"; done
  rm -r "$logs"
  [ ${#failed[@]} -eq 0 ]
}

# Installs the programs that are missing.
programs() {
  local command
  local -a missing=()
  for command in "$@"; do
    if ! command -v "$command" >/dev/null; then missing+=("$command"); fi
  done
  [ ${#missing[@]} -eq 0 ] && return
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" fonts-dejavu-core
}

# Has the agent and the command line run on the oldest Node that they support.
oldest_node() {
  EDGE_NODE=$(node_modules/.bin/node scripts/oldest_node.ts)
  export EDGE_NODE
}
