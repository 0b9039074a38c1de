#!/bin/sh
# Runs a Job for each wave, such as `./waves.sh canary rest`. A wave starts after all pods of the wave before have succeeded, and its gate.
set -eu
for wave in "$@"; do
  job=$(sed "s/args: \[\]/args: [--wave, $wave]/" up.yaml | kubectl create --filename - --output name)
  echo "wave $wave: $job"
  conditions=
  until echo "$conditions" | grep -qwE 'Complete|Failed'; do
    sleep 5
    conditions=$(kubectl get "$job" --output 'jsonpath={.status.conditions[?(@.status=="True")].type}')
  done
  echo "wave $wave: $conditions"
  echo "$conditions" | grep -qw Complete
done
