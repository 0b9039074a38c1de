#!/usr/bin/env bash
# The table of a state in PostgreSQL whose name has a schema: `?table=app.states`.
#
# Behavior (github.com/pulumi/pulumi/pkg/v3 3.276.0, PostgreSQL 18.6 of npm's @electric-sql/pglite 0.5.14):
# - A comment in Pulumi's code says that names with a schema are honored. Where the table exists, they are.
# - Pulumi cannot create such a table: its index is called `app.states_key_prefix_idx`, and PostgreSQL takes no schema in the name of an index.
#   So a table that somebody made by hand works, and the same address in an empty database is a syntax error at ".".
# - A name in capital letters is another spelling of the one in small letters: `table=States` and `table=states` share their states.
# - `options=-c search_path=app` with a plain name does what was meant.
# Why it matters: an address that works in one environment, where the table was copied or restored from a dump, fails in the next one; and two
# teams whose tables differ in capital letters only see each other's stacks.
set -euo pipefail
folder=$(mktemp -d); server=; trap 'kill $server 2> /dev/null || true; rm -rf "$folder"' EXIT; cd "$folder"
npm install --silent --no-audit --no-fund --legacy-peer-deps @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17
cat > server.mjs <<'JS'
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

const db = await PGlite.create();
const { rows } = await db.query("SHOW server_version");
await db.exec("CREATE SCHEMA app; CREATE TABLE app.by_hand (key TEXT PRIMARY KEY, data JSON NOT NULL, updated_at TIMESTAMPTZ DEFAULT now())");
const server = new PGLiteSocketServer({ db, port: 0, host: "127.0.0.1", maxConnections: 8 });
server.addEventListener("listening", ({ detail: { port } }) => console.log(`${port} ${rows[0].server_version}`));
await server.start();
JS
cat > go.mod <<'GO'
module tables
go 1.25.0
require github.com/pulumi/pulumi/pkg/v3 v3.276.0
GO
cat > main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/backend/diy/postgres"
)

func try(settings string) (string, error) {
	address, err := url.Parse(fmt.Sprintf("postgres://postgres:postgres@127.0.0.1:%s/postgres?sslmode=disable&%s", os.Args[1], settings))
	if err != nil {
		return "", err
	}
	opened, err := postgres.NewPostgresBucket(context.Background(), address)
	if err != nil {
		return "", err
	}
	defer opened.Close()
	there, err := opened.Bucket().Exists(context.Background(), "stack")
	if err != nil {
		return "", err
	}
	if there {
		return "works, and has a stack already", nil
	}
	return "works", opened.Bucket().WriteAll(context.Background(), "stack", []byte("{}"), nil)
}

func main() {
	for _, settings := range os.Args[2:] {
		result, err := try(settings)
		if err != nil {
			_, result, _ = strings.Cut(err.Error(), "pq: ")
			result, _, _ = strings.Cut(result, " at position")
		}
		fmt.Printf("- %s: %s\n", settings, result)
	}
}
GO
go mod tidy 2> /dev/null
go build -o ask .
node server.mjs > port & server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.3; done
read -r port version < port; echo "PostgreSQL $version"
./ask "$port" table=app.by_hand table=app.states 'options=-c%20search_path=app&table=states' table=Shared table=shared | tee seen
cat > expected <<'SEEN'
- table=app.by_hand: works
- table=app.states: syntax error at or near "."
- options=-c%20search_path=app&table=states: works
- table=Shared: works
- table=shared: works, and has a stack already
SEEN
diff expected seen && echo "As described."
