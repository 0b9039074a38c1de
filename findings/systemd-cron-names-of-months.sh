#!/usr/bin/env bash
# What timers Debian's systemd-cron makes of a crontab: the jobs of three months, and ranges of weekdays that end on Sunday.
#
# Behavior (systemd-cron 1.15.19-5 of Debian 12, which replaces the package cron there; its generator reads the crontab, systemd-analyze names the
# times): the list of months in it has no October. So a job for `dec` runs in November, one for `nov` in October, and one for `oct` never; `12`, `11`
# and `10` are right. `5-7` is called garbled, but a timer is written all the same, without weekdays: it runs every day, where `5,6,7` runs
# on three. Days of the month and weekdays must both match, where crontab(5) of the same package promises either. Nothing of this
# stops the start, and the lines are valid to Debian's cron, from which a machine's crontabs are taken over as they are.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
chmod 755 .; mkdir -p units/cron.target.wants
apt-get download systemd-cron=1.15.19-5 > /dev/null 2>&1
dpkg -x systemd-cron_*.deb package
cat > entries <<'TAB'
0 3 1 dec *
0 3 1 nov *
0 3 1 oct *
0 3 1 12 *
0 3 * * 5-7
0 3 * * 5,6,7
0 3 13 * fri
TAB
cat > timers.py <<'PY'
"""Calls the generator's own functions, because the program itself reads the crontabs of the machine."""
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

path = "package/lib/systemd/system-generators/systemd-crontab-generator"
loader = SourceFileLoader("generator", path)
generator = module_from_spec(spec_from_loader("generator", loader))
loader.exec_module(generator)
generator.TARGET_DIR, generator.TIMERS_DIR = "units", "units/cron.target.wants"
for line in open("entries"):
    entry = line.strip()
    with open("crontab", "w") as tab:
        tab.write(f"{entry} root /bin/true\n")
    for job in generator.parse_crontab("crontab", withuser=True):
        unit = generator.generate_timer_unit(job, unit_name="job")
        times = [l.split("=", 1)[1].strip() for l in open("units/job.timer") if l.startswith("OnCalendar=")] if unit else ["no timer"]
        print(f"{entry}|{times[0]}")
PY
python3 -W ignore timers.py 2> messages > timers
while IFS='|' read -r entry times; do
  next=$(TZ=UTC systemd-analyze calendar --base-time=2026-11-28 --iterations=3 "$times" 2> /dev/null | sed -nE 's/.*(Next elapse|Iteration #.|Iter. #.): (\w+) [0-9]{4}-([0-9-]+) .*/\2 \3/p' | paste -sd, || true)
  echo "$entry => $times: $next"
done < timers > seen
cat messages seen
cat > expected <<'SEEN'
0 3 1 dec * => *-11-1 3:0:00: Mon 11-01,Wed 11-01,Thu 11-01
0 3 1 nov * => *-10-1 3:0:00: Fri 10-01,Sun 10-01,Mon 10-01
0 3 1 oct * => no timer: 
0 3 1 12 * => *-12-1 3:0:00: Tue 12-01,Wed 12-01,Fri 12-01
0 3 * * 5-7 => *-*-* 3:0:00: Sat 11-28,Sun 11-29,Mon 11-30
0 3 * * 5,6,7 => Sun,Fri,Sat *-*-* 3:0:00: Sat 11-28,Sun 11-29,Fri 12-04
0 3 13 * fri => Fri *-*-13 3:0:00: Fri 08-13,Fri 10-13,Fri 04-13
SEEN
diff expected seen && echo "As described."
