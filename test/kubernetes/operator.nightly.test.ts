/**
 * Runs the Stack of examples/kubernetes/operator on the cluster of KUBECONFIG, in which the Pulumi Kubernetes Operator runs. Service and bucket are on
 * this machine. Needs a build, Go, and an image builder: test/kubernetes/cluster.ts names the settings.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { randomOf } from "../chaos/random.js";
import { kubectl, noCluster } from "./cluster.js";
import { Fleet, fleetImage, manifestOf } from "./fleet.js";

let image: string;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const STACKS = Number(process.env["STACKS"] ?? 4);
const LOSSES = Number(process.env["LOSSES"] ?? Math.max(1, Math.round((5 * STACKS) / 24)));
const WITHIN_MS = 900_000;

async function missing(): Promise<string | undefined> {
  if (noCluster !== undefined) return noCluster;
  const crd = await kubectl(["get", "crd", "stacks.pulumi.com"]).catch(() => undefined);
  return crd === undefined ? "the Pulumi Kubernetes Operator is not installed in the cluster" : undefined;
}
const skip = await missing();

interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath: string;
}

interface StackManifest {
  metadata: { name: string };
  spec: {
    stack: string;
    backend: string;
    prerequisites?: { name: string }[];
    envRefs: Record<
      string,
      { type: string; literal?: { value: string }; secret?: { name: string; key: string } }
    >;
    workspaceTemplate: {
      spec: {
        image: string;
        podTemplate: {
          spec: {
            containers: {
              volumeMounts?: Mount[];
              lifecycle: { postStart: { exec: { command: string[] } } };
            }[];
            volumes?: object[];
          };
        };
      };
    };
  };
}

interface StackStatus {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly lastUpdate?: {
      readonly state?: string;
      readonly generation?: number;
      readonly message?: string;
    };
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

describe.skipIf(skip)(
  `Stacks${skip ? ` (skipped: ${skip})` : ` (seed ${seed})`}`,
  { timeout: 2_400_000 },
  () => {
    beforeAll(async () => void (image = await fleetImage()), 900_000);

    async function open(workspaces: number): Promise<Fleet> {
      const fleet = await Fleet.open({ image, workspaces, latencyMs: 30, bucketMs: 25 });
      const { namespace } = fleet;
      const rights = manifestOf<{ items: object[] }>("operator/service-account.yaml");
      const text = JSON.stringify(rights).replaceAll('"default"', `"${namespace.name}"`);
      const own = text.replace("fleet:auth-delegator", `${namespace.name}:auth-delegator`);
      await kubectl(["create", "--filename", "-"], own);
      onTestFinished(
        async () =>
          void (await kubectl(["delete", "clusterrolebinding", `${namespace.name}:auth-delegator`])),
        60_000,
      );
      return fleet;
    }

    /** Writes the Stacks as they are declared now. */
    async function apply(
      fleet: Fleet,
      change: (stack: StackManifest) => void = () => undefined,
    ): Promise<void> {
      const config = await fleet.namespace.create({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { generateName: "files-" },
        data: Object.fromEntries([...fleet.plans].map(([name, plan]) => [`${name}.yaml`, stringify(plan)])),
      });
      const stacks = [...fleet.plans.keys()].map((name) => {
        const manifest = manifestOf<StackManifest>("operator/us.yaml");
        const { spec } = manifest;
        manifest.metadata.name = spec.stack = name;
        spec.backend = fleet.backend;
        for (const ref of Object.values(spec.envRefs))
          if (ref.secret) ref.secret.key = ref.secret.key.replace(/^US_/, "");
        spec.envRefs["WORKSPACE_AUTOMATION_ALLOW_INSECURE"] = { type: "Literal", literal: { value: "true" } };
        spec.envRefs["WORKSPACE_FILE"] = { type: "Literal", literal: { value: `/fleet/${name}.yaml` } };
        const template = spec.workspaceTemplate.spec;
        template.image = image;
        const pod = template.podTemplate.spec;
        const [pulumi] = pod.containers;
        pulumi!.volumeMounts = [
          { name: "config", mountPath: `/fleet/${name}.yaml`, subPath: `${name}.yaml` },
        ];
        pod.volumes = [{ name: "config", configMap: { name: config } }];
        const { exec } = pulumi!.lifecycle.postStart;
        exec.command = exec.command.map((one) => one.replace("--stack us", `--stack ${name}`));
        change(manifest);
        return JSON.stringify(manifest);
      });
      await fleet.namespace.kubectl(["apply", "--filename", "-"], stacks.join("\n---\n"));
    }

    /** @returns the state of the last update of each Stack, by its name; undefined while it is in progress */
    async function states(fleet: Fleet): Promise<Map<string, string | undefined>> {
      const text = await fleet.namespace.kubectl(["get", "stacks.pulumi.com", "--output", "json"]);
      const { items } = JSON.parse(text) as { items: (StackStatus & { metadata: { name: string } })[] };
      return new Map(
        items.map(({ metadata, status }) => {
          const { state, generation } = status?.lastUpdate ?? {};
          return [metadata.name, generation === metadata.generation ? state : undefined];
        }),
      );
    }

    async function succeeded(fleet: Fleet, withinMs = WITHIN_MS): Promise<void> {
      const until = Date.now() + withinMs;
      for (;;) {
        const now = await states(fleet);
        if ([...now.values()].every((state) => state === "succeeded")) break;
        if (Date.now() > until) expect.fail(JSON.stringify([...now]));
        await sleep(1_000);
      }
      // Plain Pulumi leaves a journal whose intents have ended. The next run removes it.
      await fleet.expectAllDone("", ["locks/"]);
    }

    const pods = async (fleet: Fleet) =>
      (await fleet.namespace.pods("auto.pulumi.com/component=workspace")).flatMap(({ metadata, status }) =>
        status.phase === "Running" && metadata.deletionTimestamp === undefined ? metadata.name : [],
      );

    it("apply workspaces, after their prerequisites, and again when the file has changed", async () => {
      const fleet = await open(2);
      await apply(fleet, (stack) => {
        if (stack.metadata.name === "team-1") stack.spec.prerequisites = [{ name: "team-0" }];
      });
      await succeeded(fleet);
      const order = fleet.emulator.journal.writes().map(({ path }) => /team-\d/.exec(path)?.[0]);
      expect(order.lastIndexOf("team-0")).toBeLessThan(order.indexOf("team-1"));
      for (const plan of fleet.plans.values()) plan.groups["Team 0"]!.description = "changed";
      await apply(fleet);
      await sleep(5_000);
      await succeeded(fleet);
    });

    it("apply the file of the next image", async () => {
      const fleet = await open(1);
      const run = async () => {
        const next = await fleet.nextImage();
        await apply(fleet, ({ spec: { workspaceTemplate: template } }) => {
          template.spec.image = next;
          const [pulumi] = template.spec.podTemplate.spec.containers;
          delete pulumi!.volumeMounts;
          delete template.spec.podTemplate.spec.volumes;
        });
        await sleep(5_000);
        await succeeded(fleet);
      };
      await run();
      fleet.emulator.journal.clear();
      fleet.plans.get("team-0")!.groups["Team 0"]!.description = "changed";
      await run();
      expect(fleet.emulator.journal.writes()).toMatchObject([{ method: "PATCH" }]);
    });

    it("continue after losses of a container, the first before its lock has a record, and of a pod", async () => {
      const fleet = await open(1);
      const { namespace, emulator, store } = fleet;
      await apply(fleet);
      while ((await store.keys(".pulumi/locks/")).length === 0) await sleep(10);
      for (const pod of await pods(fleet)) await namespace.lose(pod);
      expect(await store.keys(".pulumi/workspacectl/lock-holders/")).toEqual([]);
      await fleet.writes(10, WITHIN_MS);
      for (const pod of await pods(fleet)) await namespace.lose(pod);
      await fleet.writes(emulator.journal.writes().length + 10, WITHIN_MS);
      for (const pod of await pods(fleet))
        await namespace.kubectl(["delete", "pod", pod, "--grace-period=0", "--force"]);
      await succeeded(fleet);
    });

    it(`${STACKS} at once, with losses`, async () => {
      const fleet = await open(STACKS);
      const random = randomOf(seed);
      await apply(fleet);
      const began = performance.now();
      let last = began;
      for (let n = 1; n <= LOSSES; n++) {
        await fleet.writes(Math.floor((n * STACKS * 30) / (LOSSES + 1)), WITHIN_MS);
        const there = await pods(fleet);
        if (there.length > 0) await fleet.namespace.lose(random.pick(there));
        last = performance.now();
      }
      await succeeded(fleet, 2_000_000);
      const [whole, after] = [began, last].map((from) => Math.round((performance.now() - from) / 1000));
      process.stderr.write(
        `${STACKS} Stacks, ${LOSSES} losses: ${whole} s, ${after} s after the last loss\n`,
      );
    });
  },
);
