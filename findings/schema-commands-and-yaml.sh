#!/usr/bin/env bash
# Which type a value of a YAML file has for five programs that check such files against a JSON Schema.
#
# Behavior: a schema that asks for `type: string` refuses the date 2026-11-28 in ajv-cli 5.0.0 and v8r 5.1.0, where it is an object; it passes in
# check-jsonschema 0.39.0, @sourcemeta/jsonschema 16.11.0 and yaml-language-server 1.25.0 (the editors').
# 12:30 is an integer (750) to ajv-cli alone. 1_000 and 0b11 are integers to some and texts to others, and 0o12 is a text to ajv-cli alone. Infinity is an
# integer to v8r, a number to two, and nothing to two. So a file can pass in the editor and fail in CI, or pass in both with another value in mind;
# a schema does not say which YAML it is for. In quotes, all five agree.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund ajv-cli@5.0.0 v8r@5.1.0 @sourcemeta/jsonschema@16.11.0 yaml-language-server@1.25.0 vscode-languageserver-textdocument@1.0.12
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check check-jsonschema==0.39.0
cat > editor.cjs <<'JS'
const { getLanguageService } = require("yaml-language-server");
const { TextDocument } = require("vscode-languageserver-textdocument");
const { readFileSync } = require("node:fs");
const [schemaFile, file] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
const service = getLanguageService({
  schemaRequestService: async () => JSON.stringify(schema),
  workspaceContext: { resolveRelativePath: (path) => path },
  telemetry: { send() {}, sendError() {}, sendTrack() {} },
  clientCapabilities: {},
});
service.configure({ validate: true, yamlVersion: "1.2", schemas: [{ uri: "file:///s.json", fileMatch: ["*.yaml"], schema }] });
const text = TextDocument.create("file:///value.yaml", "yaml", 1, readFileSync(file, "utf8"));
service.doValidation(text, false).then((faults) => process.exit(faults.length === 0 ? 0 : 1));
JS
types="string integer number object"
for type in $types; do
  echo '{ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": { "key": { "type": "'"$type"'" } } }' > "$type.json"
done
check() {
  case $1 in
    ajv-cli) node_modules/.bin/ajv validate -s "$2" -d value.yaml ;;
    v8r) node_modules/.bin/v8r --schema "$2" value.yaml ;;
    check-jsonschema) python/bin/check-jsonschema --schemafile "$2" value.yaml ;;
    sourcemeta) node_modules/.bin/jsonschema validate "$2" value.yaml ;;
    editor) node editor.cjs "$2" value.yaml ;;
  esac > /dev/null 2>&1
}
for value in 2026-11-28 12:30 1_000 0b11 0o12 .inf '"12:30"'; do
  echo "key: $value" > value.yaml
  for program in ajv-cli v8r check-jsonschema sourcemeta editor; do
    passed=""
    for type in $types; do if check "$program" "$type.json"; then passed="$passed $type"; fi; done
    echo "$value $program:${passed:- none}"
  done
done | tee seen
cat > expected <<'SEEN'
2026-11-28 ajv-cli: object
2026-11-28 v8r: object
2026-11-28 check-jsonschema: string
2026-11-28 sourcemeta: string
2026-11-28 editor: string
12:30 ajv-cli: integer number
12:30 v8r: string
12:30 check-jsonschema: string
12:30 sourcemeta: string
12:30 editor: string
1_000 ajv-cli: integer number
1_000 v8r: string
1_000 check-jsonschema: integer number
1_000 sourcemeta: string
1_000 editor: string
0b11 ajv-cli: integer number
0b11 v8r: integer number
0b11 check-jsonschema: integer number
0b11 sourcemeta: string
0b11 editor: string
0o12 ajv-cli: string
0o12 v8r: integer number
0o12 check-jsonschema: integer number
0o12 sourcemeta: integer number
0o12 editor: integer number
.inf ajv-cli: none
.inf v8r: integer number
.inf check-jsonschema: number
.inf sourcemeta: none
.inf editor: number
"12:30" ajv-cli: string
"12:30" v8r: string
"12:30" check-jsonschema: string
"12:30" sourcemeta: string
"12:30" editor: string
SEEN
diff expected seen && echo "As described."
