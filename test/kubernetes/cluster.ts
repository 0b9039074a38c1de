/**
 * A cluster for the tests: that of KUBECONFIG, such as one of kind or k3d. Its pods must reach servers of this machine, which listen on all its
 * addresses meanwhile. Settings of the environment:
 *
 * - KUBERNETES_HOST: this machine's address for pods. Default: its first one that is not loopback.
 * - KUBERNETES_BUILD: shell command that builds an image from "$1" (Containerfile) and "$2" (folder), and gives it to the nodes as "$3". Default: that
 *   of kind and k3d, by the name of the context.
 * - KUBERNETES_IMAGE: an image of examples/kubernetes that the nodes already have. Default: build it.
 * - KUBERNETES_LOSE: shell command that kills all processes of the pod "$1" in the namespace "$2" at once. Default: delete it without a grace period.
 */
import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { expect, onTestFinished } from "vitest";

/** Why the tests cannot run here. */
export const noCluster = process.env["KUBECONFIG"]
  ? undefined
  : "set KUBECONFIG to that of a cluster, such as one of `kind create cluster`";

export async function kubectl(argv: readonly string[], input = ""): Promise<string> {
  const { exitCode, stdout, stderr } = await execa("kubectl", argv, { input, reject: false });
  if (exitCode !== 0) throw new Error(`kubectl ${argv.join(" ")}: ${stderr}`);
  return stdout;
}

/** The address of this machine for pods. */
export function hostForPods(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const first = all.find(({ family, internal }) => family === "IPv4" && !internal);
  const host = process.env["KUBERNETES_HOST"] || first?.address;
  if (host === undefined) throw new Error("this machine has no address that pods reach: set KUBERNETES_HOST");
  return host;
}

/** Builds an image, and gives it to the nodes. */
export async function buildImage(file: string, folder: string, name: string): Promise<void> {
  const command = process.env["KUBERNETES_BUILD"] || (await usualBuild());
  const { exitCode, all } = await execa("sh", ["-ec", command, "sh", file, folder, name], {
    reject: false,
    all: true,
  });
  expect(exitCode, all).toBe(0);
}

async function usualBuild(): Promise<string> {
  const context = (await kubectl(["config", "current-context"])).trim();
  const [, tool = "", cluster = ""] = /^(kind|k3d)-(.+)$/.exec(context) ?? [];
  const build = 'docker build --file "$1" --tag "$3" "$2"';
  if (tool === "kind") return `${build} && kind load docker-image --name ${cluster} "$3"`;
  if (tool === "k3d") return `${build} && k3d image import --cluster ${cluster} "$3"`;
  throw new Error(`nothing is known of images in the cluster ${context}: set KUBERNETES_BUILD`);
}

export interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status: { readonly phase: string };
}

/** A namespace with the restricted profile, which ends with the test. */
export class Namespace {
  private constructor(readonly name: string) {}

  static async open(profile: "restricted" | "baseline" = "restricted"): Promise<Namespace> {
    const name = `fleet-${randomUUID().slice(0, 8)}`;
    await kubectl(["create", "namespace", name]);
    onTestFinished(async () => void (await kubectl(["delete", "namespace", name, "--wait=false"])), 60_000);
    await kubectl(["label", "namespace", name, `pod-security.kubernetes.io/enforce=${profile}`]);
    return new Namespace(name);
  }

  kubectl(argv: readonly string[], input?: string): Promise<string> {
    return kubectl(["--namespace", this.name, ...argv], input);
  }

  /** @returns the name of the object */
  async create(manifest: object): Promise<string> {
    const text = await this.kubectl(
      ["create", "--filename", "-", "--output", "name"],
      JSON.stringify(manifest),
    );
    return text.trim().replace(/^.*\//, "");
  }

  async secret(name: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.create({ apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: values });
  }

  async pods(selector = ""): Promise<readonly Pod[]> {
    const text = await this.kubectl(["get", "pods", "--selector", selector, "--output", "json"]);
    return (JSON.parse(text) as { items: Pod[] }).items;
  }

  /** Waits for the end of a Job. @returns its last condition and the logs of its pods */
  async ended(job: string, withinMs: number): Promise<{ result: string; log: string }> {
    const until = Date.now() + withinMs;
    for (;;) {
      const { status } = JSON.parse(await this.kubectl(["get", "job", job, "--output", "json"])) as {
        status: { conditions?: { type: string; status: string }[] };
      };
      const types = (status.conditions ?? []).flatMap((one) => (one.status === "True" ? one.type : []));
      const result = types.find((type) => type === "Complete" || type === "Failed");
      if (result !== undefined) return { result, log: await this.log(job) };
      if (Date.now() > until) return { result: "still running", log: await this.log(job) };
      await sleep(1_000);
    }
  }

  /** The logs of the pods of a Job that are still there. */
  async log(job: string): Promise<string> {
    const pods = await this.pods(`batch.kubernetes.io/job-name=${job}`);
    const logs = pods.map(async ({ metadata: { name } }) => {
      const { all } = await execa("kubectl", ["--namespace", this.name, "logs", name, "--all-containers"], {
        reject: false,
        all: true,
      });
      return `== ${name}\n${all}`;
    });
    return (await Promise.all(logs)).join("\n");
  }

  /** Ends a pod as a node does that is drained: with SIGTERM and its grace period. */
  async evict(pod: string): Promise<void> {
    const path = `/api/v1/namespaces/${this.name}/pods/${pod}/eviction`;
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod } };
    await this.kubectl(["create", "--raw", path, "--filename", "-"], JSON.stringify(eviction));
  }

  /** Ends a pod as when its machine is lost. */
  async lose(pod: string): Promise<void> {
    const usual = 'kubectl delete pod "$1" --namespace "$2" --grace-period=0 --force';
    const command = process.env["KUBERNETES_LOSE"] || usual;
    await execa("sh", ["-ec", command, "sh", pod, this.name], { reject: false });
  }
}
