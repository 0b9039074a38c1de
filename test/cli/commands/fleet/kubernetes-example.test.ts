/** Checks the manifests of examples/operator, and the loop of its page that writes those of every workspace. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { run, temporaryFolder } from "../../support.js";

const example = resolve(import.meta.dirname, "../../../../examples/kubernetes");
const read = (file: string) => readFileSync(join(example, file), "utf8");

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

interface Pod {
  readonly securityContext: object;
  readonly containers: readonly {
    readonly image: string;
    readonly command: readonly string[];
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly securityContext: object;
    readonly resources: object;
    readonly volumeMounts: readonly object[];
  }[];
  readonly volumes: readonly object[];
}

interface Job {
  readonly parallelism: number;
  readonly template: { readonly spec: Pod };
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

/** Writes commands for a script. @returns their folder, for PATH */
function commandsIn(folder: string, commands: Readonly<Record<string, string>>): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

const [stack] = manifestsIn(read("operator/us.yaml"));
const { spec: up } = parse(read("up.yaml")) as { spec: Job };
const { spec: drift } = parse(read("drift.yaml")) as { spec: { jobTemplate: { spec: Job } } };
const pods = { up: up.template.spec, drift: drift.jobTemplate.spec.template.spec };

describe("the Jobs", () => {
  it.each(Object.entries(pods))(
    "%s satisfies the restricted profile with a root that is read-only",
    (_, pod) => {
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(pod.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    },
  );

  it("run one image with one state, which is also that of the Stack and of the fleet file", () => {
    const { defaults } = parse(read("fleet.yaml")) as { defaults: { backend: string } };
    const { backend, workspaceTemplate } = stack?.spec as {
      backend: string;
      workspaceTemplate: { spec: { image: string } };
    };
    const ofPods = Object.values(pods).map(({ containers: [main] }) => [
      main?.image,
      main?.env.find(({ name }) => name === "PULUMI_BACKEND_URL")?.value,
    ]);
    const { image } = workspaceTemplate.spec;
    expect([...ofPods, [image, backend]]).toEqual(Array(3).fill([image, defaults.backend]));
  });

  it("divide the requests of a token by the pods at the same time", () => {
    const main = pods.up.containers[0];
    const shares = main?.env.find(({ name }) => name === "WORKSPACE_AUTOMATION_REQUEST_SHARES")?.value;
    expect(shares).toBe(String(up.parallelism));
  });

  it("run commands that exist", async () => {
    const options = pods.up.containers[0]?.command.filter((one) => one.startsWith("--")) ?? [];
    expect(options).toContain("--run");
    const { stdout: help } = await run(["fleet", "up", "--help"]);
    for (const option of options) expect(help).toContain(option);
    expect(await run(["fleet", "drift", "--help"])).toMatchObject({ code: 0 });
  });
});

describe("waves.sh", () => {
  /** Runs it with a cluster in which the Jobs end so, one after the other. */
  async function waves(ends: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "ends"), `${ends.join("\n")}\n`);
    const bin = commandsIn(folder, {
      kubectl: `case $1 in
        create) cat >> ${folder}/created; echo --- >> ${folder}/created; echo job.batch/fleet-up-x ;;
        get) head -n 1 ${folder}/ends; sed -i 1d ${folder}/ends ;;
      esac`,
      sleep: "",
    });
    const { exitCode } = await execa("sh", ["waves.sh", "canary", "rest"], {
      cwd: example,
      env: { PATH: `${bin}:${process.env["PATH"]}`, ...env },
      reject: false,
    });
    const created = manifestsIn(readFileSync(join(folder, "created"), "utf8")) as unknown as { spec: Job }[];
    return { exitCode, args: created.map(({ spec }) => spec.template.spec.containers[0]?.args) };
  }

  it("starts a wave when the one before has succeeded", async () => {
    expect(await waves(["", "SuccessCriteriaMet Complete", "SuccessCriteriaMet Complete"])).toEqual({
      exitCode: 0,
      args: [
        ["--wave", "canary"],
        ["--wave", "rest"],
      ],
    });
    expect(await waves(["FailureTarget", "FailureTarget Failed"])).toEqual({
      exitCode: 1,
      args: [["--wave", "canary"]],
    });
  });

  it("passes the approved fingerprint, and the report that the manifest mounts", async () => {
    const { args } = await waves(["Failed"], { APPROVED: "sha256:0a" });
    expect(args).toEqual([
      ["--wave", "canary", "--plan", "/approved/preview.json", "--approved", "sha256:0a"],
    ]);
    const { volumes, containers } = pods.up;
    expect(volumes).toContainEqual({ name: "approved", configMap: { name: "fleet-plan", optional: true } });
    expect(containers[0]?.volumeMounts).toContainEqual({
      name: "approved",
      mountPath: "/approved",
      readOnly: true,
    });
  });
});

describe("the manifest for the Pulumi Kubernetes Operator", () => {
  it("is valid by the schema of the operator", () => {
    expect([validate(stack), validate.errors]).toEqual([true, null]);
    expect(validate({ ...stack, spec: { ...stack?.spec, envReferences: {} } })).toBe(false);
  });

  it("passes the variables of the fleet file, as keys of a Secret", () => {
    const { workspaces, defaults } = parse(read("fleet.yaml")) as {
      workspaces: Record<string, { environment: Record<string, string> }>;
      defaults: { environment: Record<string, string> };
    };
    const { envRefs } = stack?.spec as { envRefs: Record<string, { secret?: { key: string } }> };
    const keys = Object.entries(envRefs).flatMap(([name, { secret }]) =>
      secret ? [[name, secret.key]] : [],
    );
    expect(Object.fromEntries(keys)).toEqual({ ...defaults.environment, ...workspaces["us"]?.environment });
  });

  it("is written for every workspace by the loop of the page", async () => {
    const [, script = ""] =
      /\n(npx --no-install workspacectl fleet plan[^`]*)```/.exec(read("README.md")) ?? [];
    const { stdout: plan } = await run(["fleet", "plan", join(example, "fleet.yaml"), "--shards", "1"]);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "plan.json"), plan);
    const bin = commandsIn(folder, {
      npx: `cat ${folder}/plan.json`,
      jq: `${process.execPath} -p 'require("${folder}/plan.json").shards[0].workspaces.join("\\n")'`,
      kubectl: "cat",
    });
    const PATH = `${bin}:${process.env["PATH"]}`;
    const { stdout } = await execa("bash", ["-euo", "pipefail", "-c", script], {
      cwd: example,
      env: { PATH },
    });
    const [, eu] = manifestsIn(stdout);
    expect(manifestsIn(stdout).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      "Stack us",
      "Stack eu",
    ]);
    expect([validate(eu), validate.errors]).toEqual([true, null]);
    expect(eu?.spec).toMatchObject({
      stack: "eu",
      envRefs: { WORKSPACE_AUTOMATION_TOKEN: { secret: { key: "EU_WORKSPACE_AUTOMATION_TOKEN" } } },
    });
    expect(JSON.stringify(eu)).toContain("--stack eu ");
    expect(stdout.match(/\bUS_|\bus\b/g)).toHaveLength(countOfUs());
  });
});

/** Only the manifests of the workspace itself mention it. */
function countOfUs(): number {
  return read("operator/us.yaml").match(/\bUS_|\bus\b/g)?.length ?? 0;
}
