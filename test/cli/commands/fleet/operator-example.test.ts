/** Checks the manifests of examples/operator, and the loop of its page that writes those of every workspace. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { run, temporaryFolder } from "../../support.js";

const example = resolve(import.meta.dirname, "../../../../examples/operator");
const read = (file: string) => readFileSync(join(example, file), "utf8");

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The schema of the operator, in which an unknown property is an error instead of being dropped. */
function schemaOfStack(): object {
  const file = resolve(import.meta.dirname, "../../../fixtures/pulumi-operator-stack-v1.json");
  return JSON.parse(readFileSync(file, "utf8"), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !("properties" in value)) return value;
    const isOpen = "x-kubernetes-preserve-unknown-fields" in value || "additionalProperties" in value;
    return isOpen ? value : { ...value, additionalProperties: false };
  }) as object;
}

const validate = new Ajv({ strict: false, validateFormats: false }).compile<Manifest>(schemaOfStack());
const manifestsIn = (text: string) =>
  parseAllDocuments(text).flatMap((each) => (each.toJS() as Manifest | null) ?? []);

describe("the manifests for the Pulumi Kubernetes Operator", () => {
  const [stack, job] = manifestsIn(read("us.yaml"));

  it("are valid by the schema of the operator", () => {
    expect([validate(stack), validate.errors]).toEqual([true, null]);
    expect(validate({ ...stack, spec: { ...stack?.spec, envReferences: {} } })).toBe(false);
    expect(job?.kind).toBe("CronJob");
  });

  it("pass the variables of the fleet file, as keys of a Secret", () => {
    const { workspaces, defaults } = parse(read("fleet.yaml")) as {
      workspaces: Record<string, { environment: Record<string, string> }>;
      defaults: { environment: Record<string, string>; backend: string };
    };
    const expected = { ...defaults.environment, ...workspaces["us"]?.environment };
    const { envRefs, backend } = stack?.spec as {
      envRefs: Record<string, { secret?: { key: string } }>;
      backend: string;
    };
    expect(backend).toBe(defaults.backend);
    const keys = Object.entries(envRefs).flatMap(([name, { secret }]) =>
      secret ? [[name, secret.key]] : [],
    );
    expect(Object.fromEntries(keys)).toEqual(expected);
    const { env } = (job as unknown as { spec: { jobTemplate: { spec: { template: { spec: Pod } } } } }).spec
      .jobTemplate.spec.template.spec.containers[0]!;
    expect(Object.fromEntries(env.map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef.key]))).toEqual(
      { ...expected, PULUMI_BACKEND_URL: undefined },
    );
  });

  it("are written for every workspace by the loop of the page", async () => {
    const [, script = ""] = /```sh\n(npx workspacectl fleet plan[^`]*)```/.exec(read("README.md")) ?? [];
    const { stdout: plan } = await run(["fleet", "plan", join(example, "fleet.yaml"), "--shards", "1"]);
    const bin = join(temporaryFolder(), "bin");
    mkdirSync(bin);
    const command = (name: string, text: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    writeFileSync(join(bin, "plan.json"), plan);
    command("npx", `cat ${bin}/plan.json`);
    command("jq", `${process.execPath} -p 'require("${bin}/plan.json").shards[0].workspaces.join("\\n")'`);
    command("kubectl", "cat");
    const PATH = `${bin}:${process.env["PATH"]}`;
    const { stdout } = await execa("bash", ["-euo", "pipefail", "-c", script], {
      cwd: example,
      env: { PATH },
    });
    const [, , eu, drift] = manifestsIn(stdout);
    expect(manifestsIn(stdout).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      ["us", "eu"].flatMap((name) => [`Stack ${name}`, `CronJob ${name}`]),
    );
    expect([validate(eu), validate.errors]).toEqual([true, null]);
    expect(eu?.spec).toMatchObject({
      stack: "eu",
      envRefs: { WORKSPACE_AUTOMATION_TOKEN: { secret: { key: "EU_WORKSPACE_AUTOMATION_TOKEN" } } },
    });
    expect(JSON.stringify(drift)).toContain('"--stack","eu"');
    expect(stdout.match(/\bUS_|\bus\b/g)).toHaveLength(countOfUs());
  });
});

interface Pod {
  readonly containers: readonly {
    readonly env: readonly { name: string; valueFrom?: { secretKeyRef: { key: string } } }[];
  }[];
}

/** Only the manifests of the workspace itself mention it. */
function countOfUs(): number {
  return read("us.yaml").match(/\bUS_|\bus\b/g)?.length ?? 0;
}
