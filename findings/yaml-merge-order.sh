#!/usr/bin/env bash
# Which value wins where a merge key (`<<`) and another source give the same setting, in six YAML parsers.
#
# Behavior: yaml 2.9.0 (merge: true), js-yaml 4.1.1, PyYAML 6.0.3, ruamel.yaml 0.19.1 and gopkg.in/yaml.v3 3.0.1 agree with the description of the
# type (yaml.org/type/merge.html): a mapping's own key wins wherever it stands, and of a list of mappings the first one wins. In
# github.com/goccy/go-yaml 1.19.2 the last one written wins instead: a merge key below a mapping's own key overwrites it, and of a list the last
# mapping wins. A mapping that says `memory: 2Gi` and then `<<: *defaults` has the defaults' memory there, without an error.
# Also seen: an anchor on a whole list (`<<: *list`) is an error in yaml.v3 only, and goccy reads a flow mapping without a space,
# `{cpu:1}`, as cpu = 1, where the five others have a key "cpu:1" without a value.
# It matters to files that one tool writes and another reads: programs in Go move from yaml.v3, which is archived, to goccy/go-yaml.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
mkdir go
cat > documents.json <<'JSON'
{
  "own key first": "base: &base { memory: 1 }\njob: { memory: 2, <<: *base }",
  "own key last": "base: &base { memory: 1 }\njob: { <<: *base, memory: 2 }",
  "list of two": "one: &one { memory: 1 }\ntwo: &two { memory: 2 }\njob: { <<: [*one, *two] }",
  "anchored list": "bases: &bases [{ memory: 1 }, { memory: 2 }]\njob: { <<: *bases }",
  "no space": "job: {cpu:1}"
}
JSON
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund yaml@2.9.0 js-yaml@4.1.1
cat > read.cjs <<'JS'
for (const [name, text] of Object.entries(require("./documents.json"))) {
  const { parse } = require("yaml");
  console.log(`${name}: yaml ${JSON.stringify(parse(text, { merge: true }).job)}`);
  console.log(`${name}: js-yaml ${JSON.stringify(require("js-yaml").load(text).job)}`);
}
JS
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check PyYAML==6.0.3 ruamel.yaml==0.19.1
cat > read.py <<'PY'
import json, yaml
from ruamel.yaml import YAML
for name, text in json.load(open("documents.json")).items():
    for parser, read in {"PyYAML": yaml.safe_load, "ruamel.yaml": YAML(typ="safe", pure=True).load}.items():
        print(f"{name}: {parser} {json.dumps(read(text)['job'], separators=(',', ':'))}")
PY
cat > go/go.mod <<'GO'
module merge
go 1.25.0
require (
	github.com/goccy/go-yaml v1.19.2
	gopkg.in/yaml.v3 v3.0.1
)
GO
cat > go/main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	goccy "github.com/goccy/go-yaml"
	"gopkg.in/yaml.v3"
)

func main() {
	documents := map[string]string{}
	text, _ := os.ReadFile("documents.json")
	json.Unmarshal(text, &documents)
	for name, document := range documents {
		for parser, read := range map[string]func([]byte, any) error{
			"yaml.v3": yaml.Unmarshal,
			"goccy":   func(b []byte, v any) error { return goccy.Unmarshal(b, v) },
		} {
			value := map[string]any{}
			if read([]byte(document), &value) != nil {
				fmt.Printf("%s: %s error\n", name, parser)
				continue
			}
			job, _ := json.Marshal(value["job"])
			fmt.Printf("%s: %s %s\n", name, parser, job)
		}
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../read .)
{ node read.cjs; venv/bin/python read.py; ./read; } | LC_ALL=C sort | tee seen
cat > expected <<'SEEN'
anchored list: PyYAML {"memory":1}
anchored list: goccy {"memory":2}
anchored list: js-yaml {"memory":1}
anchored list: ruamel.yaml {"memory":1}
anchored list: yaml {"memory":1}
anchored list: yaml.v3 error
list of two: PyYAML {"memory":1}
list of two: goccy {"memory":2}
list of two: js-yaml {"memory":1}
list of two: ruamel.yaml {"memory":1}
list of two: yaml {"memory":1}
list of two: yaml.v3 {"memory":1}
no space: PyYAML {"cpu:1":null}
no space: goccy {"cpu":1}
no space: js-yaml {"cpu:1":null}
no space: ruamel.yaml {"cpu:1":null}
no space: yaml {"cpu:1":null}
no space: yaml.v3 {"cpu:1":null}
own key first: PyYAML {"memory":2}
own key first: goccy {"memory":1}
own key first: js-yaml {"memory":2}
own key first: ruamel.yaml {"memory":2}
own key first: yaml {"memory":2}
own key first: yaml.v3 {"memory":2}
own key last: PyYAML {"memory":2}
own key last: goccy {"memory":2}
own key last: js-yaml {"memory":2}
own key last: ruamel.yaml {"memory":2}
own key last: yaml {"memory":2}
own key last: yaml.v3 {"memory":2}
SEEN
diff expected seen && echo "As described."
