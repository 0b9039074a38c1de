#!/usr/bin/env bash
# Pairs of YAML values that are different, and what five tools say that compare two files: differs or same.
#
# Behavior:
# - graphtage 0.5.0: "22" and 22 are the same to it, and "1.0" and 1.0, true and 1, false and 0. The exit code is 0.
# - dictdiffer 0.10.0: true and 1, false and 0 are the same, and 9007199254740993 and 9007199254740992, because it compares integers like floats, with a tolerance.
# - jd 2.5.0 (-yaml) reads every number as a floating-point number: 9007199254740993 and 9007199254740992 are the same.
# - deepdiff 9.1.0 and dyff 1.12.0 see them all.
# A text of digits that lost its quotes, a boolean that became a number and an id that is off by one are what checkers of schemas and servers refuse, or
# take for something else. So "no difference" of such a tool (a dry run of a formatter, a check that a generated file is up to date) says too little.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check graphtage==0.5.0 dictdiffer==0.10.0 deepdiff==9.1.0 PyYAML==6.0.3
export GOBIN="$folder/go"
go install github.com/josephburnett/jd/v2/jd@v2.5.0 2> /dev/null
go install github.com/homeport/dyff/cmd/dyff@v1.12.0 2> /dev/null
cat > python.py <<'PY'
import sys
import yaml
from deepdiff import DeepDiff
from dictdiffer import diff
before, after = (yaml.safe_load(open(name)) for name in ("before.yaml", "after.yaml"))
found = DeepDiff(before, after) if sys.argv[1] == "deepdiff" else list(diff(before, after))
sys.exit(1 if found else 0)
PY
use() { # TOOL COMMAND: 0 is the same, 1 differs
  local code=0
  bash -c "$2" > output 2>&1 || code=$?
  case $code in 0) line+=" $1 same," ;; 1) line+=" $1 differs," ;; *) line+=" $1 failed," ;; esac
}
compare() {
  echo "value: $1" > before.yaml
  echo "value: $2" > after.yaml
  line="$1 and $2:"
  use graphtage "venv/bin/graphtage --no-color --no-status before.yaml after.yaml"
  use dictdiffer "venv/bin/python python.py dictdiffer"
  use jd "go/jd -yaml before.yaml after.yaml"
  use deepdiff "venv/bin/python python.py deepdiff"
  use dyff "go/dyff between --omit-header --set-exit-code before.yaml after.yaml"
  echo "${line%,}"
}
{
  compare '"22"' 22
  compare '"1.0"' 1.0
  compare true 1
  compare false 0
  compare 9007199254740993 9007199254740992
  compare '[one, two]' '[two, one]'
  compare one two
} | tee seen
cat > expected <<'SEEN'
"22" and 22: graphtage same, dictdiffer differs, jd differs, deepdiff differs, dyff differs
"1.0" and 1.0: graphtage same, dictdiffer differs, jd differs, deepdiff differs, dyff differs
true and 1: graphtage same, dictdiffer same, jd differs, deepdiff differs, dyff differs
false and 0: graphtage same, dictdiffer same, jd differs, deepdiff differs, dyff differs
9007199254740993 and 9007199254740992: graphtage differs, dictdiffer same, jd same, deepdiff differs, dyff differs
[one, two] and [two, one]: graphtage differs, dictdiffer differs, jd differs, deepdiff differs, dyff differs
one and two: graphtage differs, dictdiffer differs, jd differs, deepdiff differs, dyff differs
SEEN
diff expected seen && echo "As described."
