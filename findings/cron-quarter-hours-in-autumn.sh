#!/usr/bin/env bash
# `*/15 * * * *` in Europe/Berlin in the night in which 02:00 to 03:00 comes twice (2026-10-25), in five libraries that compute the next run.
#
# Behavior: only cron-utils 9.2.1 (Maven) runs every 15 minutes, eight times from 02:00 to 02:45. gronx 1.20.4 (Go), node-cron 4.6.0 (npm) and the
# crate croner 3.0.1 leave out one of the two hours: nothing runs for 75 minutes, although the expression has no hour in it. gronx and node-cron
# leave out the first, croner the second. The crate cron 0.15.0 has all eight, but not in their order: its iterator goes from 02:00 in summer time
# to 02:00 in winter time, and then an hour back to 02:15 in summer time. In spring (2026-03-29) all five agree, and leave no gap.
# So frequent jobs (watchdogs, renewals of leases and tokens, drift checks) have a gap of an hour once a year, which is longer than most alarms wait.
# A schedule in UTC has none.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
mkdir -p go rust/src java
cat > go/go.mod <<'GO'
module next
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
	for _, start := range os.Args[1:] {
		t, _ := time.Parse(time.RFC3339, start)
		zone, _ := time.LoadLocation("Europe/Berlin")
		t = t.In(zone)
		fmt.Print("gronx")
		for range 9 {
			t, _ = gronx.NextTickAfter("*/15 * * * *", t, false)
			fmt.Print(" ", t.UTC().Format("15:04"))
		}
		fmt.Println()
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../gronx .)
cat > rust/Cargo.toml <<'TOML'
[package]
name = "next"
version = "0.1.0"
edition = "2021"
[dependencies]
cron = "=0.15.0"
croner = "=3.0.1"
chrono = "0.4"
chrono-tz = "0.10"
TOML
cat > rust/src/main.rs <<'RUST'
use chrono::{DateTime, Utc};
use std::str::FromStr;

fn main() {
    for start in std::env::args().skip(1) {
        let from = DateTime::parse_from_rfc3339(&start).unwrap().with_timezone(&chrono_tz::Europe::Berlin);
        let cron = cron::Schedule::from_str("0 */15 * * * *").unwrap();
        let runs: Vec<_> = cron.after(&from).take(9).collect();
        let croner = croner::Cron::from_str("*/15 * * * *").unwrap();
        let mut next = vec![croner.find_next_occurrence(&from, false).unwrap()];
        while next.len() < 9 {
            next.push(croner.find_next_occurrence(next.last().unwrap(), false).unwrap());
        }
        for (name, times) in [("cron", runs), ("croner", next)] {
            let texts: Vec<_> = times.iter().map(|t| t.with_timezone(&Utc).format("%H:%M").to_string()).collect();
            println!("{name} {}", texts.join(" "));
        }
    }
}
RUST
(cd rust && cargo build --quiet)
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund node-cron@4.6.0
cat > next.mjs <<'JS'
import { mock } from "node:test";
import cron from "node-cron";
for (const start of process.argv.slice(2)) {
  mock.timers.enable({ apis: ["Date"], now: new Date(start) });
  const runs = cron.createTask("*/15 * * * *", () => {}, { timezone: "Europe/Berlin" }).getNextRuns(9);
  console.log("node-cron", runs.map((run) => run.toISOString().slice(11, 16)).join(" "));
  mock.timers.reset();
}
JS
cat > java/pom.xml <<'XML'
<project><modelVersion>4.0.0</modelVersion><groupId>next</groupId><artifactId>next</artifactId><version>1</version>
<dependencies><dependency><groupId>com.cronutils</groupId><artifactId>cron-utils</artifactId><version>9.2.1</version></dependency></dependencies></project>
XML
(cd java && mvn -q -B dependency:build-classpath -Dmdep.outputFile=classpath > /dev/null)
cat > java/Next.java <<'JAVA'
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.*;
public class Next {
  public static void main(String[] starts) {
    var times = ExecutionTime.forCron(new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX)).parse("*/15 * * * *"));
    for (String start : starts) {
      var time = OffsetDateTime.parse(start).atZoneSameInstant(ZoneId.of("Europe/Berlin"));
      System.out.print("cron-utils");
      for (int i = 0; i < 9; i++) {
        time = times.nextExecution(time).get();
        System.out.print(" " + time.withZoneSameInstant(ZoneOffset.UTC).toLocalTime());
      }
      System.out.println();
    }
  }
}
JAVA
javac -cp "$(cat java/classpath)" java/Next.java
for start in 2026-03-29T01:40:00+01:00 2026-10-25T01:40:00+02:00; do
  echo "after $start, in UTC:"
  ./gronx "$start"; rust/target/debug/next "$start"; node --no-warnings next.mjs "$start"; java -cp "$(cat java/classpath):java" Next "$start" 2> /dev/null
done | tee seen
cat > expected <<'SEEN'
after 2026-03-29T01:40:00+01:00, in UTC:
gronx 00:45 01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45
cron 00:45 01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45
croner 00:45 01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45
node-cron 00:45 01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45
cron-utils 00:45 01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45
after 2026-10-25T01:40:00+02:00, in UTC:
gronx 23:45 01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45
cron 23:45 00:00 01:00 00:15 01:15 00:30 01:30 00:45 01:45
croner 23:45 00:00 00:15 00:30 00:45 02:00 02:15 02:30 02:45
node-cron 23:45 01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45
cron-utils 23:45 00:00 00:15 00:30 00:45 01:00 01:15 01:30 01:45
SEEN
diff expected seen && echo "As described."
