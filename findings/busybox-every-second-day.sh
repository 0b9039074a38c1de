#!/usr/bin/env bash
# On which days `*/2` runs in BusyBox's crond, which Alpine Linux, OpenWrt and many container images have as their cron.
#
# Behavior (BusyBox 1.35.0, built from Debian's source, with a clock that libfaketime makes run faster): `0 2 */2 * *` runs on days 2, 4, 6, ...,
# where all others (here node-cron 4.6.0 and gronx 1.20.4) run on 1, 3, 5, ...: BusyBox counts the steps from day 0, which no month has. So
# `*/10` means days 10, 20 and 30 to it, and 1, 11, 21 and 31 to the others, and `*/16` runs once a month instead of twice. `1-31/2` has one meaning.
# Steps of months and weekdays are not concerned. An entry that moves from a server into an image, or is tried in an image, changes its days in silence.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
chmod 755 .; mkdir -p apt/lists apt/cache/partial busybox tabs go
# From where this machine has its packages.
site=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Identifier: Packages' | head -n 1)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site bookworm main" > apt/sources.list
apt() { apt-get -qq -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" "$@" > /dev/null 2>&1; }
apt update
apt source --download-only busybox=1:1.35.0-4+deb12u1
apt-get download libfaketime > /dev/null 2>&1 && dpkg -x libfaketime_*.deb faketime
tar xf busybox_1.35.0.orig.tar.bz2 -C busybox --strip-components 1
(
  cd busybox
  make allnoconfig && sed -i 's/# CONFIG_CROND is not set/CONFIG_CROND=y/' .config
  { yes "" || true; } | make oldconfig && make -j2
) > built 2>&1
entries=("*/2" "1-31/2" "*/10" "*/16")
for i in 0 1 2 3; do echo "0 2 ${entries[$i]} * * date +%d >> $folder/days$i"; done > tabs/root
export TZ=UTC
LD_PRELOAD=$(echo "$folder"/faketime/usr/lib/*/faketime/libfaketime.so.1) FAKETIME="@2026-07-30 00:00:00 x30000" FAKETIME_DONT_RESET=1 \
  timeout 110 busybox/busybox crond -f -l 8 -c "$folder/tabs" > log 2>&1 || true
for i in 0 1 2 3; do echo "BusyBox: ${entries[$i]}: $(LC_ALL=C sort -u "days$i" | tr '\n' ' ')"; done > seen

echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund node-cron@4.6.0
cat > days.mjs <<'JS'
import { mock } from "node:test";
import cron from "node-cron";
for (const days of process.argv.slice(2)) {
  mock.timers.enable({ apis: ["Date"], now: new Date("2026-07-31T12:00:00Z") });
  const runs = cron.createTask(`0 2 ${days} * *`, () => {}, { timezone: "UTC" }).getNextRuns(31);
  mock.timers.reset();
  const ofAugust = runs.map((run) => run.toISOString()).filter((run) => run.startsWith("2026-08"));
  console.log(`node-cron: ${days}: ${ofAugust.map((run) => run.slice(8, 10)).join(" ")} `);
}
JS
node --no-warnings days.mjs "${entries[@]}" >> seen
cat > go/go.mod <<'GO'
module days
go 1.25.0
require github.com/adhocore/gronx v1.20.4
GO
cat > go/main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/adhocore/gronx"
)

func main() {
	for _, days := range os.Args[1:] {
		fmt.Printf("gronx: %s: ", days)
		t := time.Date(2026, 7, 31, 12, 0, 0, 0, time.UTC)
		for {
			t, _ = gronx.NextTickAfter("0 2 "+days+" * *", t, false)
			if t.Month() != time.August {
				break
			}
			fmt.Print(t.Format("02 "))
		}
		fmt.Println()
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../days .)
./days "${entries[@]}" >> seen
cat seen
cat > expected <<'SEEN'
BusyBox: */2: 02 04 06 08 10 12 14 16 18 20 22 24 26 28 30 
BusyBox: 1-31/2: 01 03 05 07 09 11 13 15 17 19 21 23 25 27 29 31 
BusyBox: */10: 10 20 30 
BusyBox: */16: 16 
node-cron: */2: 01 03 05 07 09 11 13 15 17 19 21 23 25 27 29 31 
node-cron: 1-31/2: 01 03 05 07 09 11 13 15 17 19 21 23 25 27 29 31 
node-cron: */10: 01 11 21 31 
node-cron: */16: 01 17 
gronx: */2: 01 03 05 07 09 11 13 15 17 19 21 23 25 27 29 31 
gronx: 1-31/2: 01 03 05 07 09 11 13 15 17 19 21 23 25 27 29 31 
gronx: */10: 01 11 21 31 
gronx: */16: 01 17 
SEEN
diff expected seen && echo "As described."
