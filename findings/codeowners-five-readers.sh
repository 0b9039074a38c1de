#!/usr/bin/env bash
# One CODEOWNERS file of eight ordinary lines, read by five libraries that tools and bots use to find who has to approve a path.
#
# Behaviour:
# - Upper and lower case: "Deploy/" also means deploy/ to codeowners-utils 1.0.2, codeowners 5.1.1 and @snyk/github-codeowners 1.1.0 (npm), because
#   node-ignore, which does the work, ignores case unless it is told otherwise. GitHub's page says that paths are case sensitive, and
#   codeowners 0.9.0 (PyPI) and hmarr/codeowners 1.2.1 (Go) do as it says.
# - "docs/*" means files of that folder only. codeowners-utils and npm's codeowners give docs/deep/index.md to its owners too.
# - A comment behind the owners: npm's codeowners returns "#", "asks", "for", ... as owners, @snyk/github-codeowners refuses the whole file, the
#   others pass over it.
# - An escaped blank: two of npm find nobody special, @snyk/github-codeowners takes the rest of the path for an invalid owner and refuses the
#   file, the two others find the owner.
# - "[ab]" and "!", which GitHub does not know: hmarr/codeowners refuses the file; PyPI's codeowners and two of npm take "[ab]" for a set, npm's
#   codeowners does not, although all three of npm use node-ignore (their versions of it differ).
# So who may approve a change is best asked of the host itself, or computed with the spelling of paths that all readers share.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
mkdir -p .github go
cat > .github/CODEOWNERS <<'OWNERS'
*                  @all
docs/*             @docs
Deploy/            @deploy
/infra/            @infra # asks for two approvals
pages/[ab].md      @pages
guides/my\ page.md @guides
!vendor/           @vendor
/open/
OWNERS
cat > paths <<'PATHS'
docs/index.md
docs/deep/index.md
deploy/run.sh
infra/main.tf
pages/a.md
guides/my page.md
vendor/x.js
open/x.js
PATHS
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund codeowners-utils@1.0.2 codeowners@5.1.1 @snyk/github-codeowners@1.1.0
cat > read.cjs <<'JS'
const { readFileSync, writeFileSync } = require("fs");
const paths = readFileSync("paths", "utf8").trim().split("\n");
const { parse, matchFile } = require("codeowners-utils");
const Codeowners = require("codeowners");
const { OwnershipEngine } = require("@snyk/github-codeowners/dist/lib/ownership/OwnershipEngine.js");
const text = readFileSync(".github/CODEOWNERS", "utf8");
const print = (path, reader, owners) => console.log(`${path} | ${reader} | ${owners.join(" ") || "nobody"}`);
const engineOf = (content) => {
  writeFileSync("given", content);
  try { return OwnershipEngine.FromCodeownersFile("given"); } catch (error) { return error.message; }
};
console.log(`comment | snyk/github-codeowners | ${engineOf("/infra/ @infra # asks for two approvals")}`);
console.log(`blank | snyk/github-codeowners | ${engineOf("guides/my\\ page.md @guides")}`);
const rest = engineOf(text.replace(/ #.*/, "").replace(/guides.*\n/, ""));
for (const path of paths) {
  print(path, "codeowners-utils", matchFile(path, parse(text))?.owners ?? []);
  print(path, "npm codeowners", new Codeowners(process.cwd()).getOwner(path));
  print(path, "snyk/github-codeowners", rest.calcFileOwnership(path));
}
JS
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check codeowners==0.9.0
cat > read.py <<'PY'
from codeowners import CodeOwners
text = open(".github/CODEOWNERS").read()
for path in open("paths").read().splitlines():
    try:
        owners = " ".join(name for _, name in CodeOwners(text).of(path)) or "nobody"
    except Exception:
        owners = "error"
    print(path, "|", "PyPI codeowners", "|", owners)
PY
cat > go/go.mod <<'GO'
module reader
go 1.25.0
require github.com/hmarr/codeowners v1.2.1
GO
cat > go/main.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/hmarr/codeowners"
)

func main() {
	file, _ := os.Open(".github/CODEOWNERS")
	kept := ""
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if _, err := codeowners.ParseFile(strings.NewReader(lines.Text())); err != nil {
			fmt.Println("refused | hmarr/codeowners |", lines.Text())
			continue
		}
		kept += lines.Text() + "\n"
	}
	rules, _ := codeowners.ParseFile(strings.NewReader(kept))
	paths, _ := os.Open("paths")
	for lines := bufio.NewScanner(paths); lines.Scan(); {
		path, owners := lines.Text(), "nobody"
		if rule, _ := rules.Match(path); rule != nil && len(rule.Owners) > 0 {
			owners = rule.Owners[0].String()
		}
		fmt.Println(path, "| hmarr/codeowners |", owners)
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../read-go .)
{ node read.cjs 2> /dev/null; venv/bin/python read.py; ./read-go; } | LC_ALL=C sort | tee seen
cat > expected <<'SEEN'
blank | snyk/github-codeowners | page.md is not a valid owner name in rule guides/my\ page.md @guides
comment | snyk/github-codeowners | # is not a valid owner name in rule /infra/ @infra # asks for two approvals
deploy/run.sh | PyPI codeowners | @all
deploy/run.sh | codeowners-utils | @deploy
deploy/run.sh | hmarr/codeowners | @all
deploy/run.sh | npm codeowners | @deploy
deploy/run.sh | snyk/github-codeowners | @deploy
docs/deep/index.md | PyPI codeowners | @all
docs/deep/index.md | codeowners-utils | @docs
docs/deep/index.md | hmarr/codeowners | @all
docs/deep/index.md | npm codeowners | @docs
docs/deep/index.md | snyk/github-codeowners | @all
docs/index.md | PyPI codeowners | @docs
docs/index.md | codeowners-utils | @docs
docs/index.md | hmarr/codeowners | @docs
docs/index.md | npm codeowners | @docs
docs/index.md | snyk/github-codeowners | @docs
guides/my page.md | PyPI codeowners | @guides
guides/my page.md | codeowners-utils | @all
guides/my page.md | hmarr/codeowners | @guides
guides/my page.md | npm codeowners | @all
guides/my page.md | snyk/github-codeowners | @all
infra/main.tf | PyPI codeowners | @infra
infra/main.tf | codeowners-utils | @infra
infra/main.tf | hmarr/codeowners | @infra
infra/main.tf | npm codeowners | @infra # asks for two approvals
infra/main.tf | snyk/github-codeowners | @infra
open/x.js | PyPI codeowners | nobody
open/x.js | codeowners-utils | nobody
open/x.js | hmarr/codeowners | nobody
open/x.js | npm codeowners | nobody
open/x.js | snyk/github-codeowners | nobody
pages/a.md | PyPI codeowners | @pages
pages/a.md | codeowners-utils | @pages
pages/a.md | hmarr/codeowners | @all
pages/a.md | npm codeowners | @all
pages/a.md | snyk/github-codeowners | @pages
refused | hmarr/codeowners | !vendor/           @vendor
refused | hmarr/codeowners | pages/[ab].md      @pages
vendor/x.js | PyPI codeowners | @all
vendor/x.js | codeowners-utils | @all
vendor/x.js | hmarr/codeowners | @all
vendor/x.js | npm codeowners | @all
vendor/x.js | snyk/github-codeowners | @all
SEEN
diff expected seen && echo "As described."
