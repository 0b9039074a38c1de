/** A fleet whose service and bucket are on this machine, and whose runs are the Jobs of examples/kubernetes. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { expect, onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import type { Emulator, EmulatorOptions } from "../../emulator/index.js";
import { startEmulator } from "../../emulator/index.js";
import { differences } from "../chaos/compare.js";
import type { Plan } from "../chaos/plan.js";
import { isolated, temporaryFolder, workspacectl } from "../e2e/support.js";
import { type ObjectStore, startObjectStore } from "../object-store.js";
import { buildImage, hostForPods, Namespace } from "./cluster.js";

const repository = join(import.meta.dirname, "../..");
const IMAGE = "registry.example.com/fleet:test";
export const example = join(repository, "examples/kubernetes");

/** The parts of a manifest that the tests replace. */
interface Container {
  image: string;
  name: string;
  workingDir?: string;
  command: string[];
  args?: string[];
  env: { name: string; value?: string }[];
  securityContext: object;
  volumeMounts: object[];
}

interface PodTemplate {
  spec: { initContainers?: object[]; containers: Container[]; volumes: object[] };
}

export interface JobManifest {
  metadata: { name?: string; generateName?: string };
  spec: { completions: number; parallelism: number; template: PodTemplate };
}

export interface CronJobManifest {
  metadata: { name: string };
  spec: { jobTemplate: { spec: { template: PodTemplate } } };
}

export function manifestOf<T>(file: string): T {
  return parse(readFileSync(join(example, file), "utf8")) as T;
}

/** Builds the image of the example, unless KUBERNETES_IMAGE names one that the nodes already have. @returns its name */
export async function fleetImage(): Promise<string> {
  const name = process.env["KUBERNETES_IMAGE"];
  if (name) return name;
  const folder = temporaryFolder();
  cpSync(example, folder, { recursive: true });
  const vendor = join(folder, "vendor");
  await execa("mkdir", ["-p", vendor]);
  const pack = ["pack", "--workspaces", "--silent", "--ignore-scripts", "--pack-destination", vendor];
  await execa("npm", pack, { cwd: repository });
  await buildImage(join(folder, "Containerfile"), folder, IMAGE);
  return IMAGE;
}

export interface FleetOptions extends EmulatorOptions {
  readonly image: string;
  readonly workspaces?: number;
  /** Time until the bucket responds. */
  readonly bucketMs?: number;
  /** More lines of the fleet file. */
  readonly more?: object;
}

export class Fleet {
  private images = 0;

  private constructor(
    readonly namespace: Namespace,
    readonly emulator: Emulator,
    readonly store: ObjectStore,
    readonly plans: Map<string, Plan>,
    private readonly options: FleetOptions,
    readonly backend: string,
    /** Those that the pods get from the Secret. */
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  static async open(options: FleetOptions): Promise<Fleet> {
    const { image: _, workspaces = 4, bucketMs = 0, more: _more, ...ofEmulator } = options;
    const host = hostForPods();
    const plans = new Map(
      Array.from({ length: workspaces }, (_one, n) => [`team-${n}`, planOf(`team-${n}`)]),
    );
    const email = "owner@example.com";
    const emulator = await startEmulator({
      ...{ host: "0.0.0.0", strictBodies: true, echoMemberEmail: true, rateLimit: 1_000_000, ...ofEmulator },
      seed: {
        users: [{ email }],
        workspaces: [...plans.keys()].map((domain) => ({ domain, owner: email })),
      } as never,
    });
    onTestFinished(() => emulator.close());
    const store = await startObjectStore(bucketMs, "0.0.0.0");
    onTestFinished(() => store.close());
    const namespace = await Namespace.open();
    const backend = store.backend.replace("127.0.0.1", host);
    const variables = {
      ...store.env,
      PULUMI_CONFIG_PASSPHRASE: "passphrase of the tests",
      WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl.replace("127.0.0.1", host),
      WORKSPACE_AUTOMATION_TOKEN: emulator.token,
      WORKSPACE_AUTOMATION_ALLOW_INSECURE: "true",
    };
    await namespace.secret("workspace-automation", variables);
    return new Fleet(namespace, emulator, store, plans, options, backend, variables);
  }

  /** The manifest of `up` for the files of this fleet. @param spare number of pods that may be lost or fail */
  async up(args: readonly string[] = [], spare?: number): Promise<JobManifest> {
    const manifest = this.manifest(spare);
    manifest.spec.template.spec.containers[0]!.args = [...args];
    return this.withFiles(manifest, manifest.spec.template);
  }

  /** Starts `up`. @returns the name of the Job */
  async startUp(args?: readonly string[], spare?: number): Promise<string> {
    return this.namespace.create(await this.up(args, spare));
  }

  /** Starts `up` of an image whose files are those of this fleet. @returns the name of the Job */
  async startUpOf(image: string): Promise<string> {
    const manifest = this.manifest();
    this.withSettings(manifest.spec.template, image);
    return this.namespace.create(manifest);
  }

  private manifest(spare = 8): JobManifest {
    const manifest = manifestOf<JobManifest>("up.yaml");
    manifest.spec = { ...manifest.spec, completions: manifest.spec.parallelism + spare };
    return manifest;
  }

  private withSettings({ spec }: PodTemplate, image: string): Container {
    const [main] = spec.containers as [Container];
    main.image = image;
    for (const one of main.env) {
      if (one.name === "PULUMI_BACKEND_URL") one.value = this.backend;
    }
    return main;
  }

  async drift(): Promise<{ result: string; log: string }> {
    const manifest = manifestOf<CronJobManifest>("drift.yaml");
    await this.withFiles(manifest, manifest.spec.jobTemplate.spec.template);
    const spec = manifest.spec.jobTemplate.spec;
    const job = { apiVersion: "batch/v1", kind: "Job", metadata: { generateName: "fleet-drift-" }, spec };
    return this.namespace.ended(await this.namespace.create(job), 600_000);
  }

  /** Replaces the files of the image by those of the fleet as they are now. */
  private async withFiles<T>(manifest: T, template: PodTemplate): Promise<T> {
    const { image } = this.options;
    const main = this.withSettings(template, image);
    const { spec } = template;
    const files = await this.configMap();
    main.workingDir = "/files";
    spec.volumes.push({ name: "files", emptyDir: {} }, { name: "config", configMap: { name: files } });
    const { securityContext } = main;
    const mounts = [
      { name: "files", mountPath: "/files" },
      { name: "config", mountPath: "/config" },
    ];
    const command = ["sh", "-c", "cp -L /config/*.yaml /files"];
    spec.initContainers = [{ name: "files", image, command, securityContext, volumeMounts: mounts }];
    main.volumeMounts.push({ name: "files", mountPath: "/files", readOnly: true });
    return manifest;
  }

  private configMap(): Promise<string> {
    const metadata = { generateName: "files-" };
    return this.namespace.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: this.files() });
  }

  /** The fleet file and the workspace files as they are now, by name. */
  private files(): Record<string, string> {
    const names = [...this.plans.keys()];
    const workspaces = Object.fromEntries(names.map((name) => [name, { file: `${name}.yaml` }]));
    const files = [...this.plans].map(([name, plan]): [string, string] => [
      `${name}.yaml`,
      stringify(plan, { aliasDuplicateObjects: false }),
    ]);
    return {
      ...Object.fromEntries(files),
      "fleet.yaml": stringify({ version: 1, workspaces, ...this.options.more }),
    };
  }

  private writeFiles(): string {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(this.files())) writeFileSync(join(folder, name), text);
    return folder;
  }

  /** Builds the next image of the fleet, with its files as they are now. @returns its name */
  async nextImage(): Promise<string> {
    const folder = this.writeFiles();
    const file = join(folder, "Containerfile");
    writeFileSync(file, `FROM ${this.options.image}\nCOPY *.yaml ./\n`);
    const name = `registry.example.com/fleet:${this.namespace.name}-${++this.images}`;
    await buildImage(file, folder, name);
    return name;
  }

  /** Previews the fleet as a job of a CI does, and stores the report where the manifest of `up` expects it. @returns the fingerprint */
  async approve(): Promise<string> {
    const folder = this.writeFiles();
    const report = join(folder, "preview.json");
    const env = isolated(folder, { ...this.variables, PULUMI_BACKEND_URL: this.backend });
    const argv = ["fleet", "preview", "--quiet", "--format", `json=${report}`];
    const { code, stdout, stderr } = await workspacectl(argv, folder, env);
    expect(code, stderr).toBe(0);
    const [fingerprint = ""] = /sha256:[0-9a-f]{64}/.exec(stdout) ?? [];
    await this.namespace.kubectl(["create", "configmap", "fleet-plan", `--from-file=${report}`]);
    return fingerprint;
  }

  /** Waits until there are so many requests that change something. */
  async writes(count: number, withinMs = 300_000): Promise<void> {
    const until = Date.now() + withinMs;
    while (this.emulator.journal.writes().length < count) {
      if (Date.now() > until) expect.fail(`fewer than ${count} requests change something`);
      await sleep(10);
    }
  }

  /** Pods of a Job that run. */
  async running(job: string): Promise<string[]> {
    const pods = await this.namespace.pods(`batch.kubernetes.io/job-name=${job}`);
    return pods.flatMap(({ metadata, status }) =>
      status.phase === "Running" && metadata.deletionTimestamp === undefined ? metadata.name : [],
    );
  }

  /**
   * Each workspace is as declared: nothing is missing, nothing is there twice, and no lock or journal is left.
   * @param folders of the state that must be empty
   */
  async expectAllDone(log: string, folders = ["locks/", "workspacectl/journal/"]): Promise<void> {
    for (const [domain, plan] of this.plans)
      expect(await differences(this.emulator, plan, domain), `${domain}\n${log}`).toEqual([]);
    for (const folder of folders)
      expect(await this.store.keys(`.pulumi/${folder}`), `${folder}\n${log}`).toEqual([]);
  }
}

/** A workspace of 34 objects. */
function planOf(workspace: string): Plan {
  const numbered = <T>(count: number, entry: (n: number) => [string, T]): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => entry(n)));
  return {
    version: 1,
    workspace,
    members: numbered(2, (n) => [`person${n}@example.com`, {}]),
    permissionSets: {},
    groups: numbered(2, (n) => [
      `Team ${n}`,
      { description: `Team ${n} of ${workspace}`, members: [`person${n}@example.com`] },
    ]),
    variables: numbered(4, (n) => [`NAME_${n}`, { value: `value ${n}`, description: "What it is for" }]),
    projects: numbered(3, (n) => [
      `project-${n}`,
      {
        displayName: `Project ${n}`,
        members: {},
        variables: { TIER: { value: `${n}`, description: "The tier" } },
        pipelines: {
          deploy: {
            triggerMode: "ON_EVERY_PUSH",
            refType: "BRANCH",
            refName: "main",
            variables: {},
            actions: Array.from({ length: 4 }, (_, step) => ({
              name: `Step ${step}`,
              type: "BUILD",
              triggerTime: "ON_EVERY_EXECUTION",
              containerImageName: "node",
              containerImageTag: "22",
              executeCommands: ["npm ci", `npm run step-${step}`],
            })),
          },
        },
      },
    ]),
  };
}
