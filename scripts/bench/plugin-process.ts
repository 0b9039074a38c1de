/** Measures the packaged plugin alone: how long it takes to its handshake, and its memory after it has created objects. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import pLimit from "p-limit";
import { GrpcClient, toProps, toStruct } from "../../provider/adapters/grpc.js";
import type { Props } from "../../provider/adapters/secret-marks.js";
import type { Service } from "./service.js";

const { ResourceProviderService: methods } = providerGrpc;
export const executable = resolve("packages/library/plugin/pulumi-resource-workspace-automation");

/** As Pulumi's engine on this machine. */
const AT_A_TIME = 8;
const PER_PROJECT = 10;

export interface PluginProcess {
  /** Milliseconds from the start of the process to the response of the handshake. */
  readonly handshake: number;
  /** Resident memory in MB. */
  readonly idle: number;
  readonly resident: number;
  readonly peak: number;
}

/** Milliseconds that Node.js itself takes to start and to end. */
export async function measureBareStart(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ["-e", "0"]), "close");
  return performance.now() - began;
}

/** @param objects how many it creates; none measures the handshake alone */
export async function measurePlugin(service: Service, objects: number): Promise<PluginProcess> {
  const folder = mkdtempSync(join(tmpdir(), "bench-plugin-"));
  // The plugin ends with its engine, so something must listen at the address.
  const engine = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
  await once(engine, "listening");
  const address = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const began = performance.now();
  const child = spawn(executable, [address], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, WORKSPACE_AUTOMATION_JOURNAL: folder },
  });
  try {
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    const client = new GrpcClient(`127.0.0.1:${port}`);
    const request = new proto.ProviderHandshakeRequest();
    request.setEngineAddress(address);
    await client.call(methods.handshake, request);
    const handshake = performance.now() - began;
    await configure(client, service);
    const idle = readMemory(child.pid, "VmRSS");
    await createAll(client, objects);
    // What the last objects left behind is part of it; what V8 gives back at once is not.
    await sleep(objects > 0 ? 1000 : 0);
    const [resident, peak] = [readMemory(child.pid, "VmRSS"), readMemory(child.pid, "VmHWM")];
    client.close();
    return { handshake, idle, resident, peak };
  } finally {
    child.kill("SIGKILL");
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function configure(client: GrpcClient, { baseUrl, token }: Service): Promise<void> {
  const request = new proto.ConfigureRequest();
  request.setArgs(toStruct({ baseUrl, token, workspace: "acme" }));
  await client.call(methods.configure, request);
}

/** Projects with two variables and a pipeline of six actions each. */
async function createAll(client: GrpcClient, objects: number): Promise<void> {
  const projects = Array.from({ length: objects / PER_PROJECT }, (_, n) => n);
  await pLimit(AT_A_TIME).map(projects, async (n) => {
    const web = await create(client, "Project", { name: `project-${n}`, displayName: `Project ${n}` });
    const inProject = { project: web["name"], projectId: web["id"] };
    for (const key of ["TIER", "REGION"])
      await create(client, "Variable", { ...inProject, key, value: `${key} of ${n}` });
    const ref = { triggerMode: "ON_EVERY_PUSH", refType: "BRANCH", refName: "main" };
    const deploy = await create(client, "Pipeline", { ...inProject, name: "deploy", ...ref });
    for (let action = 0; action < 6; action++)
      await create(client, "Action", {
        project: web["name"],
        pipeline: deploy["pipelineId"],
        name: `Step ${action}`,
        type: "BUILD",
        triggerTime: "ON_EVERY_EXECUTION",
        containerImageName: "node",
        containerImageTag: "22",
        executeCommands: ["npm ci", `npm run step-${action}`],
      });
  });
}

let created = 0;

async function create(client: GrpcClient, type: string, inputs: Props): Promise<Props> {
  const urn = `urn:pulumi:bench::bench::workspace-automation:index:${type}::${++created}`;
  const check = new proto.CheckRequest();
  check.setUrn(urn);
  check.setNews(toStruct(inputs));
  const checked = await client.call(methods.check, check);
  const [failure] = checked.getFailuresList();
  if (failure) throw new Error(`${type}: ${failure.getReason()}`);
  const request = new proto.CreateRequest();
  request.setUrn(urn);
  request.setProperties(checked.getInputs());
  const response = await client.call(methods.create, request);
  return { ...toProps(response.getProperties()), id: response.getId() };
}

/** A field of the process's status, in MB; 0 where there is no /proc. */
function readMemory(pid: number | undefined, field: "VmRSS" | "VmHWM"): number {
  try {
    const text = readFileSync(`/proc/${pid ?? "self"}/status`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
