#!/usr/bin/env bash
# Inputs of a resource that are objects of JavaScript, but no plain ones.
#
# Behavior (Pulumi's SDKs for Node.js 3.276.0 and Python 3.272.0; the inputs as the engine gets them, by the SDKs' own mocks):
# - Node.js sends a Map, a Set, a Date, a URL, a BigInt, a RegExp and an Error as {}, without an error or a warning, at any depth. A function is not
#   sent at all, a Buffer becomes an object of its bytes, NaN and Infinity become null.
# - Python refuses a set, a date, a Decimal, bytes, an enum of its own and a function, and names the type. It rounds large integers.
# Why it matters: `headers: new Map(...)` or `until: new Date(...)` in JavaScript, or where the type is any (dynamic providers), creates the object
# without them. And no later change of the Map or the Date is ever a difference.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund @pulumi/pulumi@3.276.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pulumi==3.272.0
cat > inputs.cjs <<'JS'
const pulumi = require("@pulumi/pulumi");
const seen = [];
pulumi.runtime.setMocks({
  newResource: ({ name, inputs }) => { seen.push(`Node.js ${name}: ${JSON.stringify(inputs)}`); return { id: "id", state: inputs }; },
  call: ({ inputs }) => inputs,
}, "shop");
const values = {
  "Map": new Map([["Accept", "text/html"]]),
  "Set": new Set(["one"]),
  "Date": new Date("2026-11-28T00:00:00Z"),
  "URL": new URL("https://shop.example.com/"),
  "BigInt": 12345678901234567890n,
  "RegExp": /^v/,
  "Error": new Error("text"),
  "Map in a list in an object": { steps: [{ headers: new Map([["Accept", "text/html"]]) }] },
  "function": () => "one",
  "Buffer": Buffer.from("hi"),
  "NaN": NaN,
  "Infinity": Infinity,
  "plain": { Accept: "text/html" },
};
(async () => {
  for (const [name, value] of Object.entries(values)) {
    const made = new pulumi.CustomResource("pkg:index:Thing", name, { value });
    await new Promise((resolve) => made.urn.apply(resolve));
  }
  console.log(seen.join("\n"));
})();
JS
cat > inputs.py <<'PY'
import datetime, decimal, enum, logging
import pulumi

logging.disable(logging.CRITICAL)
class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        print(f"Python {args.name}: {args.inputs}")
        return ["id", args.inputs]
    def call(self, args): return {}

class Color(enum.Enum): RED = "red"
values = {
    "set": {"one"}, "date": datetime.date(2026, 11, 28), "Decimal": decimal.Decimal("1.5"), "bytes": b"hi", "enum": Color.RED,
    "function": lambda: "one", "tuple": ("one", "two"), "integer": 2**60 + 1, "plain": {"Accept": "text/html"},
}
for name, value in values.items():
    pulumi.runtime.set_mocks(Mocks(), project="shop")
    @pulumi.runtime.test
    def make():
        return pulumi.CustomResource("pkg:index:Thing", name, {"value": value}).urn
    try: make()
    except ValueError as error: print(f"Python {name}: error, {str(error).splitlines()[-1][22:].split(' for ')[0]}")
PY
{ node inputs.cjs; venv/bin/python inputs.py 2> /dev/null; } | tee seen
cat > expected <<'SEEN'
Node.js Map: {"value":{}}
Node.js Set: {"value":{}}
Node.js Date: {"value":{}}
Node.js URL: {"value":{}}
Node.js BigInt: {"value":{}}
Node.js RegExp: {"value":{}}
Node.js Error: {"value":{}}
Node.js Map in a list in an object: {"value":{"steps":[{"headers":{}}]}}
Node.js function: {}
Node.js Buffer: {"value":{"0":104,"1":105}}
Node.js NaN: {"value":null}
Node.js Infinity: {"value":null}
Node.js plain: {"value":{"Accept":"text/html"}}
Python set: error, unexpected input of type set
Python date: error, unexpected input of type date
Python Decimal: error, unexpected input of type Decimal
Python bytes: error, unexpected input of type bytes
Python enum: error, unexpected input of type Color
Python function: error, unexpected input of type function
Python tuple: {'value': ['one', 'two']}
Python integer: {'value': 1.152921504606847e+18}
Python plain: {'value': {'Accept': 'text/html'}}
SEEN
diff expected seen && echo "As described."
