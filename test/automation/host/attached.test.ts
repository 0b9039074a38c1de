/** Tests what the port of an operation accepts, and from whom. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type grpc from "@grpc/grpc-js";
import eventsGrpc from "@pulumi/pulumi/proto/events_grpc_pb.js";
import eventsProto from "@pulumi/pulumi/proto/events_pb.js";
import languageGrpc from "@pulumi/pulumi/proto/language_grpc_pb.js";
import languageProto from "@pulumi/pulumi/proto/language_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import monitorGrpc from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import resourceProto from "@pulumi/pulumi/proto/resource_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attach } from "../../../automation/host/attached.js";
import { type EnginePort, openEnginePort } from "../../../automation/host/engine-port.js";
import { createFileProgram } from "../../../automation/host/file-program.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { GrpcClient, handleUnary, toProps, toStruct } from "../../../provider/adapters/grpc.js";
import { serve, type Server } from "../../../provider/adapters/grpc-server.js";
import { PermittedOperations } from "../../../provider/adapters/permitted-operations.js";
import { PlannedArguments } from "../../../provider/adapters/planned-arguments.js";
import { buildProviderText, type ProviderEngine, SharedReadCache } from "../../../provider/index.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";
import { callFrom, OTHER_USER, pidOfCaller, whyNoOtherUser } from "../../trust/callers.js";

const folder = temporaryFolder();
let emulator: Emulator;
let opened: EnginePort | undefined;
let endProvider: ((orderly: boolean) => void) | undefined;
let client: GrpcClient | undefined;
let [port, events]: [number, string[]] = [0, []];

beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(async () => {
  client?.close();
  opened?.server.close();
  endProvider?.(false);
  await emulator.close();
});

interface Operation {
  readonly dry?: boolean;
  readonly permitted?: PermittedOperations;
  readonly planned?: PlannedArguments;
  readonly engine?: ProviderEngine;
  /** Call `started` later. By default, this process is the engine. */
  readonly later?: boolean;
}

/** Starts an operation as a command does. */
async function operation({
  dry = false,
  permitted,
  planned,
  engine = "dynamic",
  later = false,
}: Operation = {}): Promise<void> {
  const file = fileIn(folder, "workspace.yaml", "version: 1\nworkspace: acme\ngroups: { QA: {} }\n");
  const env = {
    WORKSPACE_AUTOMATION_JOURNAL: `${folder}/journal`,
    WORKSPACE_AUTOMATION_CREDENTIALS: `${folder}/credentials.json`,
  };
  const { baseUrl, token, workspace } = emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  events = [];
  const onEvent: Parameters<typeof openEnginePort>[0]["onEvent"] = ({ diagnosticEvent }) =>
    events.push(diagnosticEvent?.message ?? "");
  opened = await openEnginePort({ env, engine, onEvent });
  endProvider = await attach(opened, {
    env,
    program: createFileProgram({ file, project: "app", engine, reading: { env }, connection }),
    dry,
    permitted,
    planned,
    begin: () => Promise.resolve(),
    outputs: {},
    onEvent,
    reads: new SharedReadCache(),
    permit: { ensure: () => undefined, isCertain: true },
  });
  port = opened.server.port;
  client = new GrpcClient(`127.0.0.1:${port}`);
  if (!later) opened.started(process.pid);
}

const call = <Q, R>(definition: grpc.MethodDefinition<Q, R>, request: Q): Promise<R> =>
  client?.call(definition, request) ?? Promise.reject(new Error("there is no operation"));

const provider = providerGrpc.ResourceProviderService;
const tokens = {
  dynamic: "pulumi-nodejs:dynamic/workspace-automation:Group",
  plugin: "workspace-automation:index:Group",
};
const urn = (engine: ProviderEngine) => `urn:pulumi:dev::app::${tokens[engine]}::groups/QA`;
const props = () => toStruct({ name: "QA", workspace: "acme", __provider: buildProviderText("Group") });

function creation(engine: ProviderEngine, preview = false): proto.CreateRequest {
  const request = new proto.CreateRequest();
  request.setUrn(urn(engine));
  request.setProperties(props());
  request.setPreview(preview);
  return request;
}

function update(engine: ProviderEngine): proto.UpdateRequest {
  const request = new proto.UpdateRequest();
  request.setUrn(urn(engine));
  request.setId("acme/1");
  request.setOlds(props());
  request.setNews(props());
  return request;
}

function deletion(engine: ProviderEngine): proto.DeleteRequest {
  const request = new proto.DeleteRequest();
  request.setUrn(urn(engine));
  request.setId("acme/1");
  request.setProperties(props());
  return request;
}

function programRun(monitor: string): languageProto.RunRequest {
  const request = new languageProto.RunRequest();
  request.setProject("app");
  request.setStack("dev");
  request.setDryrun(true);
  request.setMonitorAddress(monitor);
  request.setArgsList([monitor]);
  return request;
}

describe.each<ProviderEngine>(["dynamic", "plugin"])(
  "an operation with a checked plan, with %s",
  (engine) => {
    it("refuses what the plan does not contain, and sends nothing", async () => {
      await operation({ permitted: new PermittedOperations([]), engine });
      const refused =
        /the plan that was shown does not contain this step: to .* Group groups\/QA\. The step was skipped/;
      await expect(call(provider.create, creation(engine))).rejects.toThrow(refused);
      await expect(call(provider.update, update(engine))).rejects.toThrow(refused);
      await expect(call(provider.delete, deletion(engine))).rejects.toThrow(refused);
      expect(emulator.journal.requests).toEqual([]);
    });

    it("performs what a preview has planned, and nothing else", async () => {
      const planned = new PlannedArguments();
      await operation({ dry: true, planned, engine });
      await call(provider.create, creation(engine, true));
      client?.close();
      opened?.server.close();
      const create = { kind: "create", type: "Group", urn: urn(engine) } as const;
      await operation({ permitted: new PermittedOperations([create, create], planned), engine });
      const other = creation(engine);
      other.setProperties(toStruct({ ...toProps(props()), description: "another" }));
      await expect(call(provider.create, other)).rejects.toThrow("with another description");
      expect(emulator.journal.writes()).toEqual([]);
      await call(provider.create, creation(engine));
      expect(emulator.journal.writes()).toHaveLength(1);
    });
  },
);

describe.each<ProviderEngine>(["dynamic", "plugin"])(
  "an operation that only plans or reads, with %s",
  (engine) => {
    it("refuses every write, and sends nothing", async () => {
      await operation({ dry: true, engine });
      const refused = /because this command only plans or reads/;
      await expect(call(provider.create, creation(engine))).rejects.toThrow(refused);
      await expect(call(provider.update, update(engine))).rejects.toThrow(refused);
      await expect(call(provider.delete, deletion(engine))).rejects.toThrow(refused);
      expect(emulator.journal.requests).toEqual([]);
    });

    it("plans a creation", async () => {
      await operation({ dry: true, engine });
      await call(provider.create, creation(engine, true));
      expect(emulator.journal.requests).toEqual([]);
    });

    it("differs from one that writes", async () => {
      await operation({ engine });
      await call(provider.create, creation(engine));
      expect(emulator.journal.writes()).toHaveLength(1);
    });
  },
);

describe.each<ProviderEngine>(["dynamic", "plugin"])("an object of another workspace, with %s", (engine) => {
  it("is neither read nor deleted because a state names it", async () => {
    await operation({ engine });
    const other = { name: "QA", workspace: "other", __provider: buildProviderText("Group") };
    const state = toStruct({ ...other, address: `${emulator.baseUrl}/workspaces/acme`, groupId: 1 });
    const request = new proto.ReadRequest();
    request.setUrn(urn(engine));
    request.setId("other/1");
    request.setProperties(state);
    const removal = deletion(engine);
    removal.setProperties(state);
    for (const refused of [call(provider.read, request), call(provider.delete, removal)])
      await expect(refused).rejects.toThrow(
        "this stack contains an object of workspace other, but the command runs for workspace acme",
      );
    expect(emulator.journal.requests).toEqual([]);
  });
});

/** A monitor that accepts every registration. */
async function fakeMonitor(): Promise<{ server: Server; registered: string[] }> {
  const registered: string[] = [];
  const server = await serve([
    [
      monitorGrpc.ResourceMonitorService,
      {
        registerResource: handleUnary((request: resourceProto.RegisterResourceRequest) => {
          registered.push(request.getName());
          const response = new resourceProto.RegisterResourceResponse();
          response.setUrn(`urn:pulumi:dev::app::${request.getType()}::${request.getName()}`);
          return response;
        }),
        registerResourceOutputs: handleUnary(() => new emptyProto.Empty()),
        signalAndWaitForShutdown: handleUnary(() => new emptyProto.Empty()),
      },
    ],
  ]);
  return { server, registered };
}

const language = languageGrpc.LanguageRuntimeService;

describe("the program of an operation", () => {
  it("runs once, at the monitor of the engine", async () => {
    await operation();
    const { server, registered } = await fakeMonitor();
    const request = programRun(`127.0.0.1:${server.port}`);
    await call(language.run, request);
    expect(registered).toEqual(["app-dev", "groups/QA"]);
    await expect(call(language.run, request)).rejects.toThrow("asked to run the program a second time");
    expect(registered).toHaveLength(2);
    server.close();
  });

  it.skipIf(process.platform !== "linux")("does not run at the monitor of another process", async () => {
    const code =
      'const s = require("net").createServer(() => console.log("connected")).listen(0, "127.0.0.1", () => console.log(s.address().port, process.pid))';
    // The shell ends, so the process does not descend from this one.
    const shell = spawn("/bin/sh", ["-c", '"$0" -e "$1" &', process.execPath, code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    shell.stdout.on("data", (text: Buffer) => (said += text.toString()));
    await once(shell.stdout, "data");
    const [monitor, pid] = said.split(" ");
    await operation();
    await expect(call(language.run, programRun(`127.0.0.1:${monitor}`))).rejects.toThrow(
      "the program at the other end is not that Pulumi",
    );
    process.kill(Number(pid));
    await once(shell.stdout, "close");
    expect(said).not.toContain("connected");
  });

  it("does not run at a monitor that is not on this machine", async () => {
    await operation();
    await expect(call(language.run, programRun("192.0.2.1:80"))).rejects.toThrow(
      "that is not an address of this machine",
    );
  });
});

describe.skipIf(whyNoOtherUser !== undefined)("another user of the machine", () => {
  const event = () => {
    const request = new eventsProto.EventRequest();
    request.setEvent(JSON.stringify({ diagnosticEvent: { message: "planted" } }));
    return request;
  };
  const calls = (monitor: string) => [
    { path: language.run.path, message: programRun(monitor).serializeBinary() },
    { path: provider.create.path, message: creation("dynamic").serializeBinary() },
    { path: eventsGrpc.EventsService.streamEvents.path, message: event().serializeBinary() },
  ];

  it("reaches no service of an operation, and the user is told", async () => {
    await operation();
    const { server, registered } = await fakeMonitor();
    for (const one of calls(`127.0.0.1:${server.port}`))
      expect(await callFrom(OTHER_USER, { port, ...one })).toBe("closed");
    expect(registered).toEqual([]);
    expect(emulator.journal.requests).toEqual([]);
    // One line, although there were three attempts.
    expect(events).toEqual([
      expect.stringContaining("because the program at the other end runs as another user (number 65534)"),
    ]);
    server.close();
  });

  it("would reach them with the same calls from the engine", async () => {
    for (const [index, { path, message }] of calls("192.0.2.1:80").entries()) {
      opened?.server.close();
      endProvider?.(false);
      await operation({ later: true });
      const ended = callFrom(undefined, { port, path, message });
      opened?.started(pidOfCaller());
      expect(await ended).toMatch(index === 0 ? /^status 2 .*%20192/ : /^status 0/);
    }
    expect(events).toContain("planted");
    expect(emulator.journal.writes()).toHaveLength(1);
  });
});
