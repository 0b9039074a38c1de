#!/usr/bin/env bash
# A range that ends where it begins, such as `5-5`, in three CRON libraries of Python.
#
# Behavior: croniter 7.0.0 takes it for the whole field. `5-5 * * * *` runs every minute, `0 5-5 * * *` every hour, and `0 0 * * MON-MON` every day.
# APScheduler 3.11.3 and cronsim 2.8 run it at that value. With a step, cronsim differs too: `5-5/2` runs from minute 5 to the end of the hour.
# Such ranges are written by programs, which fill in the first and the last hour of a window ("FROM-TO"): when a window is one hour long, its job
# runs all day, where croniter decides.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check APScheduler==3.11.3 croniter==7.0.0 cronsim==2.8
cat > count.py <<'PY'
from datetime import datetime, timedelta, timezone

from apscheduler.triggers.cron import CronTrigger
from croniter import croniter
from cronsim import CronSim

start = datetime(2026, 12, 7, tzinfo=timezone.utc) - timedelta(minutes=1)
end = datetime(2026, 12, 14, tzinfo=timezone.utc)


def ask_apscheduler(text):
    trigger, at = CronTrigger.from_crontab(text, timezone=timezone.utc), start
    while True:
        at = trigger.get_next_fire_time(None, at + timedelta(minutes=1))
        yield at


schedulers = {
    "APScheduler": ask_apscheduler,
    "croniter": lambda text: croniter(text, start, ret_type=datetime),
    "cronsim": lambda text: CronSim(text, start),
}
for text in ["5-5 * * * *", "0 5-5 * * *", "0 0 * * MON-MON", "5-5/2 0 * * MON"]:
    counts = []
    for name, ask in schedulers.items():
        try:
            runs = 0
            for at in ask(text):
                if at >= end:
                    break
                runs += 1
            counts.append(f"{name} {runs}")
        except Exception:
            counts.append(f"{name} refused")
    print(f"{text}, runs in a week: {', '.join(counts)}")
PY
venv/bin/python count.py | tee seen
cat > expected <<'SEEN'
5-5 * * * *, runs in a week: APScheduler 168, croniter 10080, cronsim 168
0 5-5 * * *, runs in a week: APScheduler 7, croniter 168, cronsim 7
0 0 * * MON-MON, runs in a week: APScheduler 1, croniter 7, cronsim 1
5-5/2 0 * * MON, runs in a week: APScheduler refused, croniter 30, cronsim 28
SEEN
diff expected seen && echo "As described."
