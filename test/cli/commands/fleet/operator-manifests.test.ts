import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parseFleet } from "../../../../cli/commands/fleet/file.js";
import {
  operatorManifests,
  type ManifestOptions,
} from "../../../../cli/commands/fleet/operator-manifests.js";

const FLEET = `version: 1
defaults: { backend: "s3://acme-state?region=eu-west-1", environment: { PULUMI_CONFIG_PASSPHRASE: ACME_PULUMI_CONFIG_PASSPHRASE } }
workspaces:
  us: { connection: us, environment: { WORKSPACE_AUTOMATION_TOKEN: US_WORKSPACE_AUTOMATION_TOKEN } }
  EU (prod): { stack: production, file: eu/workspace.yaml, overlays: [eu/prod.yaml], allowPaths: [shared] }
`;
const options: ManifestOptions = { image: "fleet:1", directory: "/fleet", secret: "tokens" };

function manifests(more: Partial<ManifestOptions> = {}, text = FLEET) {
  const fleet = parseFleet("/ops/fleet.yaml", text);
  return operatorManifests(fleet, fleet.entries, "/ops/fleet.yaml", { ...options, ...more });
}
const fleetWith = (entry: string) => `version: 1\nworkspaces:\n${entry}\n`;

/** The schema of the operator, in which an unknown property is an error instead of being dropped. */
function schemaOfStack(): object {
  const file = resolve(import.meta.dirname, "../../../fixtures/pulumi-operator-stack-v1.json");
  return JSON.parse(readFileSync(join(file), "utf8"), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("properties" in value)) return value;
    const isOpen = "x-kubernetes-preserve-unknown-fields" in value || "additionalProperties" in value;
    return isOpen ? value : { ...value, additionalProperties: false };
  }) as object;
}

describe("the manifests for the Pulumi Kubernetes Operator", () => {
  it("are valid by the schema of the operator", () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schemaOfStack());
    const waves = `${FLEET}waves: [{ name: canary, workspaces: [us] }]\n`;
    const stacks = manifests({ namespace: "ops", serviceAccount: "deployer" }, waves).filter(
      ({ kind }) => kind === "Stack",
    );
    expect(stacks.map((stack) => [validate(stack), validate.errors])).toEqual([
      [true, null],
      [true, null],
    ]);
    const [{ spec } = { spec: {} }] = stacks;
    expect(validate({ ...stacks[0], spec: { ...spec, envReferences: {} } })).toBe(false);
    expect(validate({ ...stacks[0], spec: { ...spec, stack: 1 } })).toBe(false);
  });

  it("name the stack, the files in the image and each secret by its key", () => {
    expect(manifests()).toMatchObject([
      {
        metadata: { name: "us" },
        spec: {
          ...{ stack: "us", backend: "s3://acme-state?region=eu-west-1" },
          workspaceReclaimPolicy: "Delete",
        },
      },
      {
        metadata: { name: "eu-prod" },
        spec: {
          stack: "production",
          envRefs: {
            WORKSPACE_FILE: { type: "Literal", literal: { value: "/fleet/eu/workspace.yaml" } },
            WORKSPACE_OVERLAYS: { literal: { value: '["/fleet/eu/prod.yaml"]' } },
            WORKSPACE_ALLOW_PATHS: { literal: { value: '["/fleet/shared"]' } },
            PULUMI_CONFIG_PASSPHRASE: {
              type: "Secret",
              secret: { name: "tokens", key: "ACME_PULUMI_CONFIG_PASSPHRASE" },
            },
          },
          workspaceTemplate: { spec: { image: "fleet:1", local: { dir: "/fleet" } } },
        },
      },
    ]);
  });

  it("tell the pods which variables the files may read", () => {
    const [stack, job] = manifests({ allowedVariables: "SHOP_*", driftSchedule: "0 5 * * *" });
    expect(stack).toMatchObject({
      spec: {
        envRefs: { WORKSPACE_AUTOMATION_ALLOW_ENV: { type: "Literal", literal: { value: "SHOP_*" } } },
      },
    });
    expect(JSON.stringify(job)).toContain('{"name":"WORKSPACE_AUTOMATION_ALLOW_ENV","value":"SHOP_*"}');
    expect(JSON.stringify(manifests({ driftSchedule: "0 5 * * *" }))).not.toContain("ALLOW_ENV");
  });

  it("make each wave wait for the one before, and come in the order in which they are applied", () => {
    const text = `version: 1
workspaces: { one: , two: , three: , four: , five: }
waves:
  - { name: canary, workspaces: [four] }
  - { name: nothing, share: 10% }
  - { name: half, share: 60%, gate: { drift: clean } }
`;
    const found = manifests({}, text).map(({ metadata, spec }) => ({ ...metadata, ...spec }));
    const after = (...names: string[]) => names.map((name) => ({ name }));
    expect(found).toMatchObject([
      { name: "four" },
      { name: "one", prerequisites: after("four") },
      { name: "two", prerequisites: after("four") },
      { name: "three", prerequisites: after("one", "two") },
      { name: "five", prerequisites: after("one", "two") },
    ]);
    expect(found[0]).not.toHaveProperty("prerequisites");
  });

  it("detect drift with the command, because the operator would apply the file", () => {
    const jobs = manifests({ driftSchedule: "0 5 * * *" }).filter(({ kind }) => kind === "CronJob");
    expect(jobs).toHaveLength(2);
    expect(jobs[0]).toMatchObject({
      spec: {
        schedule: "0 5 * * *",
        jobTemplate: {
          spec: {
            backoffLimit: 0,
            template: {
              spec: {
                containers: [
                  {
                    command: [
                      ...["workspacectl", "drift", "--file", "/fleet/workspace.yaml", "--stack", "us"],
                      ...["--connection", "us"],
                    ],
                    env: [
                      { name: "PULUMI_BACKEND_URL", value: "s3://acme-state?region=eu-west-1" },
                      {
                        name: "PULUMI_CONFIG_PASSPHRASE",
                        valueFrom: { secretKeyRef: { name: "tokens", key: "ACME_PULUMI_CONFIG_PASSPHRASE" } },
                      },
                      { name: "WORKSPACE_AUTOMATION_TOKEN" },
                    ],
                  },
                ],
              },
            },
          },
        },
      },
    });
  });

  it.each([
    ["  us: { backend: ./state }", /us: pods cannot reach the state in file:.*set a backend such as/],
    [
      "  us: { backend: 'postgres://ann:hunter2@db/state' }",
      /us: the address of the backend contains a secret/,
    ],
    [
      "  us: { backend: 's3://a?secretAccessKey=hunter2' }",
      /us: the address of the backend contains a secret/,
    ],
    [
      "  us: { file: ../other/workspace.yaml }",
      /names ..\/other\/workspace.yaml, which is outside its checkout/,
    ],
    ["  a b: {}\n  a-b: {}", /a-b and a b would both be called a-b/],
    [`  ${"n".repeat(43)}: {}`, /which has 1 to 42 letters, digits and dashes/],
    ["  '???': {}", /\?\?\? cannot be the name of an object in Kubernetes/],
  ])("are refused for %j", (entry, message) => {
    const refused = () => manifests({}, fleetWith(entry));
    expect(refused).toThrow(message);
    expect(refused).not.toThrow(/hunter2/);
  });
});
