#!/bin/sh
# Runs a Job for each wave, such as `./waves.sh canary rest`. A wave starts after all pods of the wave before have succeeded, and its gate.
# APPROVED is the fingerprint of the approved preview, if there is one. Its report is in the ConfigMap fleet-plan.
set -eu
for wave in "$@"; do
  options="--wave, $wave${APPROVED:+, --plan, /approved/preview.json, --approved, $APPROVED}"
  job=$(sed "s|args: \[\]|args: [$options]|" up.yaml | kubectl create --filename - --output name)
  echo "wave $wave: $job"
  conditions=
  until echo "$conditions" | grep -qwE 'Complete|Failed'; do
    sleep 5
    conditions=$(kubectl get "$job" --output 'jsonpath={.status.conditions[?(@.status=="True")].type}') || conditions= # the next time
  done
  echo "wave $wave: $conditions"
  echo "$conditions" | grep -qw Complete
done
