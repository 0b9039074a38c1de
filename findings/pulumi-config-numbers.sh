#!/usr/bin/env bash
# Numbers and booleans in the settings of a stack, as programs in three languages read them.
#
# Behavior (Pulumi's SDKs for Node.js 3.276.0, Python 3.272.0 and Go 3.276.0; one text each, through the typed getters of Config):
# - Node.js reads the digits at the beginning and drops the rest: 1_000 and 1,000 are 1, 0x10 is 0, "10 GB" is 10, "3 of 5" is 3. Python refuses these,
#   except 1_000, which is 1000.
# - Go's GetInt reads 010 as 8 and 0x10 as 16 (Node.js and Python: 010 is 10).
# - Go's GetInt and GetBool have no error. What they cannot read is 0 or false: 08, 1e3, 1.5, "10 GB", and yes, on and an empty text as a boolean. TryInt
#   and TryBool report it. Node.js and Python refuse yes and on; Node.js refuses True as well, which Python and Go read.
# - 9007199254740993 is 9007199254740992 in Node.js.
# `pulumi config set` stores any text, and no reader warns. Why it matters: a number of seconds, a limit or a switch ("protect") in the settings is another
# one in the program, and the same settings mean something else after a program was translated into another language.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '["1_000", "1,000", "0x10", "010", "08", "1e3", "1.5", "10 GB", "3 of 5", "9007199254740993", "yes", "on", "True", ""]' > values.json
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund @pulumi/pulumi@3.276.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pulumi==3.272.0
cat > read.cjs <<'JS'
const pulumi = require("@pulumi/pulumi");
pulumi.runtime.setMocks({ newResource: (args) => ({ id: "id", state: args.inputs }), call: (args) => args.inputs }, "shop");
const attempt = (read) => { try { return String(read()); } catch { return "error"; } };
for (const text of require("./values.json")) {
  pulumi.runtime.setConfig("shop:key", text);
  const config = new pulumi.Config("shop");
  console.log(`Node.js "${text}": number ${attempt(() => config.getNumber("key"))}, boolean ${attempt(() => config.getBoolean("key"))}`);
}
JS
cat > read.py <<'PY'
import json
import pulumi

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args): return ["id", args.inputs]
    def call(self, args): return {}

def attempt(read):
    try: return str(read("key"))
    except Exception: return "error"

pulumi.runtime.set_mocks(Mocks(), project="shop")
for text in json.load(open("values.json")):
    pulumi.runtime.set_config("shop:key", text)
    config = pulumi.Config("shop")
    print(f'Python "{text}": number {attempt(config.get_int)}, boolean {attempt(config.get_bool)}'.replace("True,", "true,").replace(" boolean True", " boolean true"))
PY
cat > go.mod <<'GO'
module read
go 1.25.0
require github.com/pulumi/pulumi/sdk/v3 v3.276.0
GO
cat > main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type mocks struct{}

func (mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return "id", args.Inputs, nil
}
func (mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) { return args.Args, nil }

func word(value any, err error) string {
	if err != nil {
		return "error"
	}
	return fmt.Sprint(value)
}

func main() {
	data, _ := os.ReadFile("values.json")
	texts := []string{}
	if err := json.Unmarshal(data, &texts); err != nil {
		panic(err)
	}
	for _, text := range texts {
		settings, _ := json.Marshal(map[string]string{"shop:key": text})
		os.Setenv("PULUMI_CONFIG", string(settings))
		err := pulumi.RunErr(func(ctx *pulumi.Context) error {
			settings := config.New(ctx, "shop")
			number, boolean := word(settings.TryInt("key")), word(settings.TryBool("key"))
			fmt.Printf("Go \"%s\": number %d (TryInt %s), boolean %t (TryBool %s)\n", text, settings.GetInt("key"), number, settings.GetBool("key"), boolean)
			return nil
		}, pulumi.WithMocks("shop", "dev", mocks{}))
		if err != nil {
			panic(err)
		}
	}
}
GO
echo "Go takes a minute or more to compile."
go mod tidy 2> /dev/null
{ node read.cjs; venv/bin/python read.py; go run . 2> /dev/null; } | tee seen
cat > expected <<'SEEN'
Node.js "1_000": number 1, boolean error
Node.js "1,000": number 1, boolean error
Node.js "0x10": number 0, boolean error
Node.js "010": number 10, boolean error
Node.js "08": number 8, boolean error
Node.js "1e3": number 1000, boolean error
Node.js "1.5": number 1.5, boolean error
Node.js "10 GB": number 10, boolean error
Node.js "3 of 5": number 3, boolean error
Node.js "9007199254740993": number 9007199254740992, boolean error
Node.js "yes": number error, boolean error
Node.js "on": number error, boolean error
Node.js "True": number error, boolean error
Node.js "": number error, boolean error
Python "1_000": number 1000, boolean error
Python "1,000": number error, boolean error
Python "0x10": number error, boolean error
Python "010": number 10, boolean error
Python "08": number 8, boolean error
Python "1e3": number error, boolean error
Python "1.5": number error, boolean error
Python "10 GB": number error, boolean error
Python "3 of 5": number error, boolean error
Python "9007199254740993": number 9007199254740993, boolean error
Python "yes": number error, boolean error
Python "on": number error, boolean error
Python "True": number error, boolean true
Python "": number error, boolean error
Go "1_000": number 1000 (TryInt 1000), boolean false (TryBool error)
Go "1,000": number 0 (TryInt error), boolean false (TryBool error)
Go "0x10": number 16 (TryInt 16), boolean false (TryBool error)
Go "010": number 8 (TryInt 8), boolean false (TryBool error)
Go "08": number 0 (TryInt error), boolean false (TryBool error)
Go "1e3": number 0 (TryInt error), boolean false (TryBool error)
Go "1.5": number 0 (TryInt error), boolean false (TryBool error)
Go "10 GB": number 0 (TryInt error), boolean false (TryBool error)
Go "3 of 5": number 0 (TryInt error), boolean false (TryBool error)
Go "9007199254740993": number 9007199254740993 (TryInt 9007199254740993), boolean false (TryBool error)
Go "yes": number 0 (TryInt error), boolean false (TryBool error)
Go "on": number 0 (TryInt error), boolean false (TryBool error)
Go "True": number 0 (TryInt error), boolean true (TryBool true)
Go "": number 0 (TryInt error), boolean false (TryBool error)
SEEN
diff expected seen && echo "As described."
