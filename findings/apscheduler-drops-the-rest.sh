#!/usr/bin/env bash
# What APScheduler's `CronTrigger.from_crontab` does with weekdays that it does not know: it runs them on more days, without an error.
#
# Behavior (APScheduler 3.11.3): `FRI#2`, the second Friday of the month, runs on every Friday. `MON-FRI/2` runs on Monday to Friday, and `TUE/2` on
# Tuesdays only: what follows a name is dropped in silence, because its expressions are compared at their beginning only. With numbers it refuses the
# same (`5#2`), and so it does with other fields. croniter 7.0.0 and cronsim 2.8, of the same language, run `FRI#2` once a month, and the steps as
# steps. So a monthly job becomes a weekly one when a crontab is moved to APScheduler, and no test of the syntax shows it.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check APScheduler==3.11.3 croniter==7.0.0 cronsim==2.8
cat > days.py <<'PY'
from datetime import datetime, timedelta, timezone

from apscheduler.triggers.cron import CronTrigger
from croniter import croniter
from cronsim import CronSim

start = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
end = datetime(2027, 1, 1, tzinfo=timezone.utc)


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
for weekday in ["FRI#2", "MON-FRI/2", "TUE/2", "5#2"]:
    for name, ask in schedulers.items():
        days = []
        try:
            for at in ask(f"0 0 * * {weekday}"):
                if at >= end:
                    break
                days.append(f"{at:%d}")
        except Exception as error:
            days = ["refused"]
        print(f"{weekday} {name}: {' '.join(days)}")
PY
venv/bin/python days.py | tee seen
cat > expected <<'SEEN'
FRI#2 APScheduler: 04 11 18 25
FRI#2 croniter: 11
FRI#2 cronsim: 11
MON-FRI/2 APScheduler: 01 02 03 04 07 08 09 10 11 14 15 16 17 18 21 22 23 24 25 28 29 30 31
MON-FRI/2 croniter: 02 04 07 09 11 14 16 18 21 23 25 28 30
MON-FRI/2 cronsim: 02 04 07 09 11 14 16 18 21 23 25 28 30
TUE/2 APScheduler: 01 08 15 22 29
TUE/2 croniter: 01 03 05 08 10 12 15 17 19 22 24 26 29 31
TUE/2 cronsim: 01 03 05 08 10 12 15 17 19 22 24 26 29 31
5#2 APScheduler: refused
5#2 croniter: 11
5#2 cronsim: 11
SEEN
diff expected seen && echo "As described."
