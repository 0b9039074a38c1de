#!/usr/bin/env bash
# Five libraries that start tasks by CRON expressions: the first four runs from 2026-11-01, a Sunday, within 60 days for those that are asked each minute.
#
# Behavior:
# - `0 2 * * 7`: Sunday in huey 3.5.4 and crontab 1.0.5 (PyPI), refused by Celery 5.7.0, never in pycron 3.3.0, and on Saturdays in @breejs/later 4.2.0.
# - `0 2 * * 5-1`: from Friday to Monday in Celery and huey, refused by crontab, Friday and Saturday in pycron, and Saturday alone in later.
# - `10/15 * * * *`: at 10, 25, 40 and 55 in crontab and later, refused by Celery and huey, never in pycron.
# - `0,30/10 * * * *`: pycron and huey drop the second item, so it is once an hour.
# - `0 2 13 * 5`: every Friday and the 13th in pycron, as in Debian's cron; only on a Friday the 13th, which is rare (2026-11, then 2027-08), in the four others.
# pycron and later report nothing: pycron is asked each minute whether something is due, and says no.
# Why it matters: an expression is copied from a service that runs it to the worker that is to do the same, and the job does not run, or on another day.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check celery==5.7.0 huey==3.5.4 crontab==1.0.5 pycron==3.3.0
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund @breejs/later@4.2.0
echo '["0 2 * * 7", "0 2 * * 5-1", "10/15 * * * *", "0,30/10 * * * *", "0 2 13 * 5", "0 2 * * 1-5"]' > expressions.json
cat > runs.py <<'PY'
import json
from datetime import datetime, timedelta
import celery.schedules, crontab, huey, pycron

begin = datetime(2026, 10, 31, 23, 59)

def by_minute(is_due):  # as their workers do
    found, now = [], begin
    while len(found) < 4 and now < begin + timedelta(days=60):
        now += timedelta(minutes=1)
        if is_due(now): found.append(now)
    return found

def run_celery(expression):
    minute, hour, day, month, weekday = expression.split()
    found, now = [], begin
    for _ in range(4):
        schedule = celery.schedules.crontab(minute, hour, day_of_month=day, month_of_year=month, day_of_week=weekday, nowfun=lambda: now)
        now += schedule.remaining_estimate(now)
        found.append(now)
    return found

def run_huey(expression):
    minute, hour, day, month, weekday = expression.split()
    return by_minute(huey.crontab(minute, hour, day, month, weekday))

def run_crontab(expression):
    schedule, found, now = crontab.CronTab(expression), [], begin
    for _ in range(4):
        now += timedelta(seconds=round(schedule.next(now=now, default_utc=True)))
        found.append(now)
    return found

def run_pycron(expression):
    return by_minute(lambda now: pycron.is_now(expression, now))

for expression in json.load(open("expressions.json")):
    for name, runs in (("Celery", run_celery), ("huey", run_huey), ("crontab", run_crontab), ("pycron", run_pycron)):
        try: seen = ", ".join(at.strftime("%a %Y-%m-%d %H:%M") for at in runs(expression)) or "never"
        except ValueError: seen = "refused"
        print(f"{expression} {name}: {seen}")
PY
cat > runs.cjs <<'JS'
const later = require("@breejs/later");
later.date.UTC();
for (const expression of require("./expressions.json")) {
  const runs = later.schedule(later.parse.cron(expression)).next(4, new Date("2026-10-31T23:59:30Z"));
  const day = (at) => at.toUTCString().slice(0, 3);
  console.log(`${expression} later: ${[].concat(runs).map((at) => `${day(at)} ${at.toISOString().slice(0, 16).replace("T", " ")}`).join(", ")}`);
}
JS
{ venv/bin/python runs.py; node runs.cjs; } | sort | tee seen
cat > expected <<'SEEN'
0 2 * * 1-5 Celery: Mon 2026-11-02 02:00, Tue 2026-11-03 02:00, Wed 2026-11-04 02:00, Thu 2026-11-05 02:00
0 2 * * 1-5 crontab: Mon 2026-11-02 02:00, Tue 2026-11-03 02:00, Wed 2026-11-04 02:00, Thu 2026-11-05 02:00
0 2 * * 1-5 huey: Mon 2026-11-02 02:00, Tue 2026-11-03 02:00, Wed 2026-11-04 02:00, Thu 2026-11-05 02:00
0 2 * * 1-5 later: Mon 2026-11-02 02:00, Tue 2026-11-03 02:00, Wed 2026-11-04 02:00, Thu 2026-11-05 02:00
0 2 * * 1-5 pycron: Mon 2026-11-02 02:00, Tue 2026-11-03 02:00, Wed 2026-11-04 02:00, Thu 2026-11-05 02:00
0 2 * * 5-1 Celery: Sun 2026-11-01 02:00, Mon 2026-11-02 02:00, Fri 2026-11-06 02:00, Sat 2026-11-07 02:00
0 2 * * 5-1 crontab: refused
0 2 * * 5-1 huey: Sun 2026-11-01 02:00, Mon 2026-11-02 02:00, Fri 2026-11-06 02:00, Sat 2026-11-07 02:00
0 2 * * 5-1 later: Sat 2026-11-07 02:00, Sat 2026-11-14 02:00, Sat 2026-11-21 02:00, Sat 2026-11-28 02:00
0 2 * * 5-1 pycron: Fri 2026-11-06 02:00, Sat 2026-11-07 02:00, Fri 2026-11-13 02:00, Sat 2026-11-14 02:00
0 2 * * 7 Celery: refused
0 2 * * 7 crontab: Sun 2026-11-01 02:00, Sun 2026-11-08 02:00, Sun 2026-11-15 02:00, Sun 2026-11-22 02:00
0 2 * * 7 huey: Sun 2026-11-01 02:00, Sun 2026-11-08 02:00, Sun 2026-11-15 02:00, Sun 2026-11-22 02:00
0 2 * * 7 later: Sat 2026-11-07 02:00, Sat 2026-11-14 02:00, Sat 2026-11-21 02:00, Sat 2026-11-28 02:00
0 2 * * 7 pycron: never
0 2 13 * 5 Celery: Fri 2026-11-13 02:00, Fri 2027-08-13 02:00, Fri 2028-10-13 02:00, Fri 2029-04-13 02:00
0 2 13 * 5 crontab: Fri 2026-11-13 02:00, Fri 2027-08-13 02:00, Fri 2028-10-13 02:00, Fri 2029-04-13 02:00
0 2 13 * 5 huey: Fri 2026-11-13 02:00
0 2 13 * 5 later: Fri 2026-11-13 02:00, Fri 2027-08-13 02:00, Fri 2028-10-13 02:00, Fri 2029-04-13 02:00
0 2 13 * 5 pycron: Fri 2026-11-06 02:00, Fri 2026-11-13 02:00, Fri 2026-11-20 02:00, Fri 2026-11-27 02:00
0,30/10 * * * * Celery: refused
0,30/10 * * * * crontab: Sun 2026-11-01 00:00, Sun 2026-11-01 00:30, Sun 2026-11-01 00:40, Sun 2026-11-01 00:50
0,30/10 * * * * huey: Sun 2026-11-01 00:00, Sun 2026-11-01 01:00, Sun 2026-11-01 02:00, Sun 2026-11-01 03:00
0,30/10 * * * * later: Sun 2026-11-01 00:00, Sun 2026-11-01 00:30, Sun 2026-11-01 00:40, Sun 2026-11-01 00:50
0,30/10 * * * * pycron: Sun 2026-11-01 00:00, Sun 2026-11-01 01:00, Sun 2026-11-01 02:00, Sun 2026-11-01 03:00
10/15 * * * * Celery: refused
10/15 * * * * crontab: Sun 2026-11-01 00:10, Sun 2026-11-01 00:25, Sun 2026-11-01 00:40, Sun 2026-11-01 00:55
10/15 * * * * huey: refused
10/15 * * * * later: Sun 2026-11-01 00:10, Sun 2026-11-01 00:25, Sun 2026-11-01 00:40, Sun 2026-11-01 00:55
10/15 * * * * pycron: never
SEEN
diff expected seen && echo "As described."
