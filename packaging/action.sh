#!/usr/bin/env bash
# The step of action.yml: runs `edge`, shows the result in the summary of the job, and sets the outputs.
set -euo pipefail

case "$COMMAND" in
  diff | plan | apply) ;;
  *)
    echo "::error::command must be diff, plan or apply, not $COMMAND"
    exit 1
    ;;
esac

version=$(node -p 'require(process.argv[1]).version' "$ACTION/packages/cli/package.json")
edge=(npx --yes "edge-configuration-cli@$version")
# Without the registry, as in tests, the command is that of the repository.
if [ -f "$ACTION/packages/cli/dist/edge.js" ]; then edge=(node "$ACTION/packages/cli/bin/edge.js"); fi

prune=()
if [ "$PRUNE" = true ]; then prune+=(--prune); fi
options=("${prune[@]}")
if [ "$COMMAND" = apply ]; then options+=(--yes); fi
if [ "$COMMAND" = apply ] && [ -n "$ACCEPT" ]; then options+=(--accept "$ACCEPT"); fi

# Before anything is applied, because afterwards there are no differences.
changed=false
if [ "$COMMAND" = apply ]; then
  status=0
  "${edge[@]}" diff "$FILE" "${prune[@]}" >/dev/null 2>&1 || status=$?
  if [ "$status" -eq 2 ]; then changed=true; fi
fi

output=$(mktemp)
status=0
"${edge[@]}" "$COMMAND" "$FILE" "${options[@]}" >"$output" 2>&1 || status=$?
cat "$output"

# A longer fence than any in the output, so that it cannot end the block.
fence='```'
while grep -q -F -- "$fence" "$output"; do fence="$fence\`"; done
{
  echo "### edge $COMMAND $FILE"
  echo "$fence"
  cat "$output"
  echo "$fence"
} >>"$GITHUB_STEP_SUMMARY"

# diff and plan exit with 2 if there are differences.
if [ "$COMMAND" != apply ] && [ "$status" -eq 2 ]; then
  changed=true
  status=0
fi
echo "changed=$changed" >>"$GITHUB_OUTPUT"
if [ "$COMMAND" = plan ]; then
  plan=$(grep -o -m1 '^Plan pln_[0-9A-Za-z]*' "$output" | cut -d' ' -f2 || true)
  echo "plan=$plan" >>"$GITHUB_OUTPUT"
fi
exit "$status"
