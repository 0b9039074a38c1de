#!/usr/bin/env bash
# What two readers of SARIF 2.1.0 make of valid results: without a level, without a place, suppressed, or gone since the last run.
#
# Behavior: a result without `level` has that of its rule, here "error"; sarif-junit 1.1.4 writes it as a test that passed, and a result whose rule
# has no level either (which means "warning") too, while `"level": "warning"` is a failure. sarif-tools 3.0.5 reads both right. An accepted suppression
# and `"baselineState": "absent"` are errors to both: `sarif --check error` fails for what was waived or is mended. sarif-tools shows the id of a
# message instead of the rule's text, and ends with a KeyError at a result that names its rule by `ruleIndex` alone; sarif-junit refuses the whole file
# in both cases, and ends with a TypeError at a result without a place. So a report for others repeats `level`, `ruleId`, `message.text` and a place in
# each result, and leaves out what does not count.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund sarif-junit@1.1.4
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check sarif-tools==3.0.5
place='"locations": [{ "physicalLocation": { "artifactLocation": { "uri": "a.yaml" }, "region": { "startLine": 1 } } }]'
text='"message": { "text": "what is wrong" }'
while IFS='|' read -r name result; do
  cat > "$name.sarif" <<SARIF
{ "version": "2.1.0", "\$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": [{
  "tool": { "driver": { "name": "tool", "rules": [
    { "id": "A", "defaultConfiguration": { "level": "error" }, "messageStrings": { "long": { "text": "It is {0}." } } }, { "id": "B" }] } },
  "results": [{ $result }] }] }
SARIF
  if python/bin/sarif csv "$name.sarif" -o rows.csv > said 2>&1; then tools=$(tail -n +2 rows.csv | tr -d '\r' | cut -d, -f2,4)
  else tools=$(grep -oE '^[A-Za-z]+Error' said); fi
  if node_modules/.bin/sarif-junit -i "$name.sarif" -o cases.xml > said 2>&1 && [ -f cases.xml ]; then
    junit=passed; if grep -q 'testsuites tests="1" failures="1"' cases.xml; then junit=failed; fi
  else junit=$(grep -oE '^[A-Za-z]+Error|is undefined' said); fi
  echo "$name: sarif-tools: $tools; sarif-junit: $junit"
  rm -f rows.csv cases.xml
done > seen <<RESULTS
level-error|"ruleId": "A", "level": "error", $text, $place
level-warning|"ruleId": "B", "level": "warning", $text, $place
level-of-rule|"ruleId": "A", $text, $place
no-level|"ruleId": "B", $text, $place
passed|"ruleId": "A", "kind": "pass", "level": "none", $text, $place
suppressed|"ruleId": "A", "level": "error", "suppressions": [{ "kind": "external", "status": "accepted" }], $text, $place
gone|"ruleId": "A", "level": "error", "baselineState": "absent", $text, $place
message-by-id|"ruleId": "A", "level": "error", "message": { "id": "long", "arguments": ["broken"] }, $place
rule-by-index|"ruleIndex": 0, "level": "error", $text, $place
no-place|"ruleId": "A", "level": "error", $text
RESULTS
cat seen
cat > expected <<'SEEN'
level-error: sarif-tools: error,what is wrong; sarif-junit: failed
level-warning: sarif-tools: warning,what is wrong; sarif-junit: failed
level-of-rule: sarif-tools: error,what is wrong; sarif-junit: passed
no-level: sarif-tools: warning,what is wrong; sarif-junit: passed
passed: sarif-tools: none,what is wrong; sarif-junit: passed
suppressed: sarif-tools: error,what is wrong; sarif-junit: failed
gone: sarif-tools: error,what is wrong; sarif-junit: failed
message-by-id: sarif-tools: error,long; sarif-junit: is undefined
rule-by-index: sarif-tools: KeyError; sarif-junit: is undefined
no-place: sarif-tools: error,what is wrong; sarif-junit: TypeError
SEEN
diff expected seen && echo "As described."
