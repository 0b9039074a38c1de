#!/usr/bin/env bash
# `pulumi config set --path` guesses types, and changes texts on the way. Without --path, every value stays a text.
#
# Behavior (library of the command, github.com/pulumi/pulumi/sdk/v3 3.276.0; the command 3.259.0 writes the same): below a path, a text that Go's
# integer parser takes becomes a number. So the phone number +491701234567 is stored without its plus, -0 becomes 0, and an account number of 20
# digits becomes 1.2345678901234567e+19: its digits are gone from the file. But 007, 1e3 and 1.50 stay texts, `true` becomes a boolean, and
# `True` stays a text. Only integers of up to 19 digits survive as what they look like; a program in JavaScript then rounds those above 2^53.
# It matters to whoever sets lists or maps of numbers that are names: phone numbers, accounts, tags of images (22 is a number, 22.0 a text).
# The way out is `--type string` where the command has it, or editing the file, with quotes.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
cat > go.mod <<'GO'
module types
go 1.25.0
require github.com/pulumi/pulumi/sdk/v3 v3.276.0
GO
cat > main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/encoding"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
)

func set(key, text string, path bool) string {
	values := config.Map{}
	if err := values.Set(config.MustParseKey(key), config.NewValue(text), path); err != nil {
		panic(err)
	}
	file, err := encoding.YAML.Marshal(values)
	if err != nil {
		panic(err)
	}
	_, stored, _ := strings.Cut(strings.TrimSpace(string(file)), "to: ")
	return stored
}

func main() {
	for _, text := range os.Args[1:] {
		fmt.Printf("%s: %s with --path, %s without\n", text, set("shop:alert.to", text, true), set("shop:to", text, false))
	}
}
GO
go mod tidy 2> /dev/null
go build -o types .
./types +491701234567 12345678901234567890 9007199254740993 -0 007 1e3 1.50 22 22.0 true True | tee seen
cat > expected <<'SEEN'
+491701234567: 491701234567 with --path, "+491701234567" without
12345678901234567890: 1.2345678901234567e+19 with --path, "12345678901234567890" without
9007199254740993: 9007199254740993 with --path, "9007199254740993" without
-0: 0 with --path, "-0" without
007: "007" with --path, "007" without
1e3: "1e3" with --path, "1e3" without
1.50: "1.50" with --path, "1.50" without
22: 22 with --path, "22" without
22.0: "22.0" with --path, "22.0" without
true: true with --path, "true" without
True: "True" with --path, "True" without
SEEN
diff expected seen && echo "As described."
