#!/usr/bin/env bash
# Five scripts in YAML, as tools that only format or copy the file leave them: same, another text, or a file that no parser reads.
#
# Behavior:
# - A block whose first line is empty: dasel 3.11.2 writes YAML that is invalid, yamlfmt 0.21.0 drops the empty line.
# - A block that begins with spaces has the width of its indent in its header (`|2`). When prettier 3.10.1 or eslint-plugin-yml 3.10.0 (--fix, its set
#   "standard") indent the file anew, they move the text but keep the number, so every line of the script gets four spaces more. As an item of a list,
#   dasel writes a number that does not fit: invalid.
# - A folded text (`>`) with a line that is indented further: yamlfmt and dasel add an empty line.
# - A block that ends with two line breaks (`|+`) survives everywhere. yq 4.54.3 (Go) and yq 4.0.0 (PyPI, -Y) keep all five.
# All report success. So a formatter belongs behind a check that compares the values before and after, and scripts belong into files of their own.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
mkdir go files
cat > files/empty-line.yaml <<'YAML'
run:
  - |

    one
    two
YAML
cat > files/begins-with-spaces.yaml <<'YAML'
jobs:
    build:
        run: |2
              one
          two
YAML
cat > files/spaces-in-list.yaml <<'YAML'
run:
  - |2
      one
    two
YAML
cat > files/folded.yaml <<'YAML'
run:
  - >
    one
      - two
    three
YAML
cat > files/ends-with-two.yaml <<'YAML'
run:
  - |+
    one

  - two
YAML
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund prettier@3.10.1 eslint@10.15.0 eslint-plugin-yml@3.10.0 yaml@2.9.0
cat > eslint.config.mjs <<'JS'
import yml from "eslint-plugin-yml";
export default yml.configs.standard;
JS
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check yq==4.0.0
command -v jq > /dev/null || { apt-get download jq libjq1 libonig5 > /dev/null 2>&1; for p in *.deb; do dpkg -x "$p" debian; done; export PATH="$folder/debian/usr/bin:$PATH" LD_LIBRARY_PATH="$(dirname "$(find "$folder/debian" -name 'libjq.so.1')")"; }
export GOBIN="$folder/go"
go install github.com/google/yamlfmt/cmd/yamlfmt@v0.21.0 2> /dev/null
go install github.com/tomwright/dasel/v3/cmd/dasel@v3.11.2 2> /dev/null
go install github.com/mikefarah/yq/v4@v4.54.3 2> /dev/null
cat > compare.mjs <<'JS'
import { readFileSync } from "node:fs";
import { parse } from "yaml";
const [tool, name, before, after] = process.argv.slice(2);
const value = (file) => JSON.stringify(parse(readFileSync(file, "utf8")));
let seen;
try { seen = value(after) === value(before) ? "same" : `${value(before)} becomes ${value(after)}`; } catch { seen = "invalid"; }
console.log(`${tool}: ${name}: ${seen}`);
JS
use() { # TOOL COMMAND: the command edits the file "now.yaml"
  for file in files/*.yaml; do
    cp "$file" now.yaml
    bash -c "$2" > output 2>&1 || echo "$1 failed"
    node compare.mjs "$1" "$(basename "$file" .yaml)" "$file" now.yaml
  done
}
{
  use prettier "npx prettier --write now.yaml"
  use eslint-plugin-yml "npx eslint --fix now.yaml"
  use yamlfmt "go/yamlfmt now.yaml"
  use dasel "go/dasel -i yaml '\$root' < now.yaml > out && cp out now.yaml"
  use "yq (Go)" "go/yq -i . now.yaml"
  use "yq (PyPI)" "venv/bin/yq -Y -i . now.yaml"
} | tee seen
cat > expected <<'SEEN'
prettier: begins-with-spaces: {"jobs":{"build":{"run":"    one\ntwo\n"}}} becomes {"jobs":{"build":{"run":"        one\n    two\n"}}}
prettier: empty-line: same
prettier: ends-with-two: same
prettier: folded: same
prettier: spaces-in-list: same
eslint-plugin-yml: begins-with-spaces: {"jobs":{"build":{"run":"    one\ntwo\n"}}} becomes {"jobs":{"build":{"run":"        one\n    two\n"}}}
eslint-plugin-yml: empty-line: same
eslint-plugin-yml: ends-with-two: same
eslint-plugin-yml: folded: same
eslint-plugin-yml: spaces-in-list: same
yamlfmt: begins-with-spaces: same
yamlfmt: empty-line: {"run":["\none\ntwo\n"]} becomes {"run":["one\ntwo\n"]}
yamlfmt: ends-with-two: same
yamlfmt: folded: {"run":["one\n  - two\nthree\n"]} becomes {"run":["one\n\n  - two\nthree\n"]}
yamlfmt: spaces-in-list: same
dasel: begins-with-spaces: same
dasel: empty-line: invalid
dasel: ends-with-two: same
dasel: folded: {"run":["one\n  - two\nthree\n"]} becomes {"run":["one\n\n  - two\nthree\n"]}
dasel: spaces-in-list: invalid
yq (Go): begins-with-spaces: same
yq (Go): empty-line: same
yq (Go): ends-with-two: same
yq (Go): folded: same
yq (Go): spaces-in-list: same
yq (PyPI): begins-with-spaces: same
yq (PyPI): empty-line: same
yq (PyPI): ends-with-two: same
yq (PyPI): folded: same
yq (PyPI): spaces-in-list: same
SEEN
diff expected seen && echo "As described."
