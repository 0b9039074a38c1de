/** Tests that another user of the machine reaches nothing while commands run, with real calls during a preview, an update and a drift report. */
import { readdirSync, readFileSync } from "node:fs";
import eventsGrpc from "@pulumi/pulumi/proto/events_grpc_pb.js";
import languageGrpc from "@pulumi/pulumi/proto/language_grpc_pb.js";
import languageProto from "@pulumi/pulumi/proto/language_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { describe, expect, it } from "vitest";
import { toStruct } from "../../provider/adapters/grpc.js";
import { buildProviderText } from "../../provider/index.js";
import { callFrom, OTHER_USER, whyNoOtherUser } from "../trust/callers.js";
import { setUp, start } from "./support.js";

/** The port of an operation is on the command line of Pulumi, which every user can read. */
function portOf(parent: number | undefined): number | undefined {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, ppid] = /^\d+ \(.*\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const port = /--client=127\.0\.0\.1:(\d+)/.exec(readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.[1];
      if (Number(ppid) === parent && port !== undefined) return Number(port);
    } catch {
      // The process has ended.
    }
  }
  return undefined;
}

function attacks(): { path: string; message: Uint8Array }[] {
  const run = new languageProto.RunRequest();
  run.setProject("workspace-automation");
  run.setStack("dev");
  run.setMonitorAddress("127.0.0.1:1");
  const create = new proto.CreateRequest();
  create.setUrn("urn:pulumi:dev::app::pulumi-nodejs:dynamic/workspace-automation:Group::planted");
  create.setProperties(
    toStruct({ name: "planted", workspace: "acme", __provider: buildProviderText("Group") }),
  );
  return [
    { path: languageGrpc.LanguageRuntimeService.run.path, message: run.serializeBinary() },
    { path: providerGrpc.ResourceProviderService.create.path, message: create.serializeBinary() },
    { path: eventsGrpc.EventsService.streamEvents.path, message: new Uint8Array() },
  ];
}

describe.skipIf(whyNoOtherUser !== undefined)("while a command runs", () => {
  it("another user reaches neither the program nor the provider nor the events", async () => {
    const { emulator, folder, file, env } = await setUp(
      `version: 1\nworkspace: acme\ngroups:\n${Array.from({ length: 20 }, (_, index) => `  G${index}: {}\n`).join("")}`,
    );
    emulator.settings.latencyMs = 100;
    for (const command of ["up --yes --create-stack", "preview", "drift"]) {
      emulator.journal.clear();
      const running = start([...command.split(" "), "-f", file], folder, env);
      const said: string[] = [];
      let hasEnded = false;
      void running.finally(() => (hasEnded = true));
      while (!hasEnded) {
        const port = portOf(running.pid);
        if (port === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
        else
          said.push(...(await Promise.all(attacks().map((call) => callFrom(OTHER_USER, { port, ...call })))));
      }
      const { exitCode, stderr } = await running;
      expect({ command, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(said.length).toBeGreaterThanOrEqual(3);
      expect(new Set(said)).toEqual(new Set(["closed"]));
      if (command !== "drift")
        expect(stderr).toContain(
          "was refused, because the program at the other end runs as another user (number 65534)",
        );
      const writes = emulator.journal.writes();
      expect(writes).toHaveLength(command.startsWith("up") ? 20 : 0);
      expect(JSON.stringify(writes)).not.toContain("planted");
    }
  }, 300_000);
});
