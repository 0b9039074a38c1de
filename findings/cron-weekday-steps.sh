#!/usr/bin/env bash
# Which days `*/2` and `1/2` are as weekdays, in seven CRON libraries of four languages.
#
# Behavior: `*/2` is Sunday, Tuesday, Thursday and Saturday in croniter 7.0.0, cronsim 2.8, robfig/cron 3.0.1 (as in Kubernetes), gronx 1.20.4,
# cron-parser 5.10.6 and cron-utils 9.2.1, but Monday, Wednesday, Friday and Sunday in Spring 6.2.19: the two have only Sunday in common.
# `1/2`, every second day from Monday, ends with Friday in croniter, robfig/cron and gronx, and goes on to Sunday in the others, because these
# know Sunday as 7 too. So two services that share a crontab run a job on different days, and a list of names (`MON,WED,FRI`) has one meaning.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
mkdir go java
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check croniter==7.0.0 cronsim==2.8
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund cron-parser@5.10.6
cat > days.py <<'PY'
import sys
from datetime import datetime, timezone

from croniter import croniter
from cronsim import CronSim

start = datetime(2026, 12, 6, 12, tzinfo=timezone.utc)
for text in sys.argv[1:]:
    for name, runs in {"croniter": croniter(text, start, ret_type=datetime), "cronsim": CronSim(text, start)}.items():
        print(text, name, *sorted(next(runs).strftime("%u%a") for _ in range(4)))
PY
cat > days.mjs <<'JS'
import { CronExpressionParser } from "cron-parser";
for (const text of process.argv.slice(2)) {
  const runs = CronExpressionParser.parse(text, { tz: "UTC", currentDate: "2026-12-06T12:00:00Z" });
  const days = runs.take(4).map((run) => run.toDate().getUTCDay() || 7);
  console.log(text, "cron-parser", ...days.sort().map((day) => `${day}${"Mon Tue Wed Thu Fri Sat Sun".split(" ")[day - 1]}`));
}
JS
cat > go/go.mod <<'GO'
module days
go 1.25.0
require (
	github.com/adhocore/gronx v1.20.4
	github.com/robfig/cron/v3 v3.0.1
)
GO
cat > go/main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/adhocore/gronx"
	"github.com/robfig/cron/v3"
)

func show(text, name string, next func(time.Time) time.Time) {
	days, at := []string{}, time.Date(2026, 12, 6, 12, 0, 0, 0, time.UTC)
	for range 4 {
		at = next(at)
		days = append(days, fmt.Sprint((int(at.Weekday())+6)%7+1, at.Format("Mon")))
	}
	slices.Sort(days)
	fmt.Println(text, name, strings.Join(days, " "))
}

func main() {
	for _, text := range os.Args[1:] {
		schedule, _ := cron.ParseStandard(text)
		show(text, "robfig/cron", schedule.Next)
		show(text, "gronx", func(at time.Time) time.Time {
			at, _ = gronx.NextTickAfter(text, at, false)
			return at
		})
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../days .)
cat > java/pom.xml <<'XML'
<project><modelVersion>4.0.0</modelVersion><groupId>days</groupId><artifactId>days</artifactId><version>1</version><dependencies>
<dependency><groupId>com.cronutils</groupId><artifactId>cron-utils</artifactId><version>9.2.1</version></dependency>
<dependency><groupId>org.springframework</groupId><artifactId>spring-context</artifactId><version>6.2.19</version></dependency>
</dependencies></project>
XML
(cd java && mvn -q -B dependency:build-classpath -Dmdep.outputFile=classpath > /dev/null)
cat > java/Days.java <<'JAVA'
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.*;
import java.util.*;
import java.util.function.UnaryOperator;
import org.springframework.scheduling.support.CronExpression;
public class Days {
  static void show(String text, String name, UnaryOperator<ZonedDateTime> next) {
    var days = new TreeSet<String>();
    var at = ZonedDateTime.parse("2026-12-06T12:00:00Z");
    for (int i = 0; i < 4; i++) {
      at = next.apply(at);
      var day = at.getDayOfWeek();
      days.add(day.getValue() + day.getDisplayName(java.time.format.TextStyle.SHORT, Locale.ENGLISH));
    }
    System.out.println(text + " " + name + " " + String.join(" ", days));
  }
  public static void main(String[] texts) {
    for (String text : texts) {
      var times = ExecutionTime.forCron(new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX)).parse(text));
      show(text, "cron-utils", at -> times.nextExecution(at).get());
      show(text, "Spring", CronExpression.parse("0 " + text)::next);
    }
  }
}
JAVA
javac -cp "$(cat java/classpath)" java/Days.java
set -- "0 0 * * */2" "0 0 * * 1/2"
{ venv/bin/python days.py "$@"; node days.mjs "$@"; ./days "$@"; java -cp "$(cat java/classpath):java" Days "$@" 2> /dev/null; } | LC_ALL=C sort | tee seen
cat > expected <<'SEEN'
0 0 * * */2 Spring 1Mon 3Wed 5Fri 7Sun
0 0 * * */2 cron-parser 2Tue 4Thu 6Sat 7Sun
0 0 * * */2 cron-utils 2Tue 4Thu 6Sat 7Sun
0 0 * * */2 croniter 2Tue 4Thu 6Sat 7Sun
0 0 * * */2 cronsim 2Tue 4Thu 6Sat 7Sun
0 0 * * */2 gronx 2Tue 4Thu 6Sat 7Sun
0 0 * * */2 robfig/cron 2Tue 4Thu 6Sat 7Sun
0 0 * * 1/2 Spring 1Mon 3Wed 5Fri 7Sun
0 0 * * 1/2 cron-parser 1Mon 3Wed 5Fri 7Sun
0 0 * * 1/2 cron-utils 1Mon 3Wed 5Fri 7Sun
0 0 * * 1/2 croniter 1Mon 1Mon 3Wed 5Fri
0 0 * * 1/2 cronsim 1Mon 3Wed 5Fri 7Sun
0 0 * * 1/2 gronx 1Mon 1Mon 3Wed 5Fri
0 0 * * 1/2 robfig/cron 1Mon 1Mon 3Wed 5Fri
SEEN
diff expected seen && echo "As described."
