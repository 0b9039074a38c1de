/** Tests what the manifests of examples/kubernetes must say themselves, because older versions of Kubernetes add it to no CronJob. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

interface CronJob {
  readonly spec: {
    readonly concurrencyPolicy: string;
    readonly startingDeadlineSeconds?: number;
    readonly jobTemplate: {
      readonly spec: {
        readonly activeDeadlineSeconds?: number;
        readonly podFailurePolicy: {
          readonly rules: readonly { readonly onPodConditions?: readonly object[] }[];
        };
      };
    };
  };
}
const path = join(import.meta.dirname, "../../examples/kubernetes/drift.yaml");
const { spec } = parse(readFileSync(path, "utf8")) as CronJob;
const job = spec.jobTemplate.spec;

it("gives each condition of a pod its status, without which Kubernetes before 1.34 refuses a CronJob", () => {
  const conditions = job.podFailurePolicy.rules.flatMap(({ onPodConditions = [] }) => onPodConditions);
  expect(conditions).toEqual([{ type: "DisruptionTarget", status: "True" }]);
});

it("ends a Job that hangs, since no other one may start beside it", () => {
  expect(spec.concurrencyPolicy).toBe("Forbid");
  expect(job.activeDeadlineSeconds).toBeGreaterThan(0);
  expect(spec.startingDeadlineSeconds).toBeGreaterThan(0);
});
