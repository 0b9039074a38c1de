/** Records exchanges without anything that tells whose workspace it is, and replays them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { probeReportSchema, type ProbeReport } from "../../../cli/commands/probe/report.js";
import { recordingSchema } from "../../../cli/commands/probe/recording.js";
import type { Emulator, Seed } from "../../../emulator/index.js";
import { otherService } from "../../provider/other-service.js";
import { emulated, personAt } from "../service-support.js";
import { temporaryFolder } from "../support.js";
import { probeSeed } from "./probe-seed.js";

/** Recordings of services, which users may add to. To write one again: UPDATE_RECORDINGS=1. */
const FOLDER = new URL("../../probe/recordings/", import.meta.url).pathname;

async function record(emulator: Emulator, ...more: readonly string[]) {
  const person = personAt(emulator);
  const file = join(temporaryFolder(), "recording.json");
  person.env["WORKSPACE_AUTOMATION_JOURNAL"] = temporaryFolder();
  const { stdout, stderr } = await person.types(["probe", "--json", "--record", file, ...more]);
  if (!stdout.startsWith("{")) throw new Error(stderr);
  const report = probeReportSchema.parse(JSON.parse(stdout));
  return { file, text: readFileSync(file, "utf8"), report, stderr, person };
}

const WRITING = ["--write", "--project", "canary-scratch"];
const verdicts = ({ assumptions }: ProbeReport) =>
  Object.fromEntries(assumptions.map(({ id, verdict, found }) => [id, [verdict, found]]));

/** Every name, id and text that a user can choose contains the canary. */
const planted: Seed = {
  users: [
    {
      email: "canary-owner@canary.example",
      name: "Canary Owner",
      tokens: [{}],
      integrations: [{ name: "canary-chat", type: "SLACK" }],
    },
    { email: "canary-bob@canary.example", name: "Canary Bob" },
  ],
  workspaces: [
    {
      domain: "canary",
      members: [{ email: "canary-bob@canary.example" }],
      groups: [{ name: "canary-group", description: "canary text", members: ["canary-bob@canary.example"] }],
      permission_sets: [
        {
          name: "canary-set",
          description: "canary text",
          repository_access_level: "READ_ONLY",
          pipeline_access_level: "READ_WRITE",
        },
      ],
      variables: [
        { key: "CANARY_PLAIN", value: "canary-plain", description: "canary text" },
        { key: "CANARY_HIDDEN", value: "canary-hidden", encrypted: true },
        { key: "CANARY_URL", value: "https://canary:canary@canary.example/canary?canary=canary#canary" },
        { key: "CANARY_DATE", value: "2024-canary" },
      ],
      projects: [
        {
          name: "canary project/ü?&",
          display_name: "Canary",
          variables: [{ key: "CANARY_OF_PROJECT", value: "canary" }],
          pipelines: [
            {
              ...{ name: "canary pipeline", ref_name: "canary-branch", trigger_mode: "SCHEDULED" },
              cron: "13 13 13 1 *",
              actions: [
                {
                  ...{ name: "canary action", type: "BUILD", trigger_time: "ON_EVERY_EXECUTION" },
                  ...{ container_image_name: "canary/image", container_image_tag: "canary" },
                  execute_commands: ["canary --token canary"],
                  services: [{ canary: { canary: "canary", number: 7_777_777 } }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

describe("a recording", () => {
  it.each([[[]], [WRITING]])("contains no name, id, secret or text of the workspace (%s)", async (more) => {
    const emulator = await emulated({
      ...{ seed: planted, token: "canary-token" },
      ...{ echoMemberEmail: true, showSchedule: true, basePath: "/canary" },
    });
    emulator.journal.clear();
    const { text, report, stderr } = await record(emulator, ...more);
    const forms = [
      Buffer.from("canary").toString("base64").slice(0, 7),
      Buffer.from("canary").toString("hex"),
    ];
    expect(text).not.toMatch(
      new RegExp(["canary", ...forms, "13 13 13", "7777777", "127.0.0.1"].join("|"), "i"),
    );
    const { exchanges, workspace } = recordingSchema.parse(JSON.parse(text));
    expect(workspace).toMatch(/^text-\d+$/);
    expect(exchanges.length).toBeGreaterThan(20);
    // Numbers of objects are replaced by others, and the emulator's begin at 1.
    for (const id of text.matchAll(/"id": (\d+)/g)) expect(Number(id[1])).toBeGreaterThanOrEqual(1000);
    for (const part of text.matchAll(/"target": "[^"?]*\/(\d+)/g))
      expect(Number(part[1])).toBeGreaterThan(999);
    // All other fields are known: only what a user has named is called otherwise.
    expect([...new Set([...text.matchAll(/"(field_\d+)"/g)].map(([, name]) => name))]).toEqual(["field_1"]);
    expect(stderr).toContain("Written: ");
    const writes = more.length > 0;
    expect(emulator.journal.requests.length).toBeLessThanOrEqual(writes ? 200 : 120);
    expect(report.profile.wrote).toBe(writes);
  });

  it("hides what the service says in errors, and responses that are not JSON", async () => {
    const emulator = await emulated({ seed: planted, token: "canary-token" });
    emulator.faults.add({ kind: "garbage", skip: 6, count: 8, path: /./ });
    const { text } = await record(emulator);
    expect(text).not.toMatch(/canary/i);
    expect(text).toMatch(/"isText": true|"status": (4|5)/);
  });

  it("is not written where nothing could be measured", async () => {
    const emulator = await emulated({ seed: planted });
    const person = personAt({ ...emulator, baseUrl: emulator.baseUrl, token: "wrong", workspace: "canary" });
    const file = join(temporaryFolder(), "recording.json");
    const { code, stderr } = await person.types(["probe", "--record", file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("nothing could be measured") as string]);
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });
});

describe("a replay", () => {
  it.each([
    ["what is assumed", {}, []],
    ["what is assumed, with changes", { showSchedule: true }, ["--write", "--project", "scratch"]],
    ["another behavior", otherService, ["--write", "--project", "scratch"]],
    ["as little as possible", { embeddedActions: "summary", singleActionPaths: false } as const, []],
  ])("finds the same, and the provider reads it: %s", async (_name, options, more) => {
    const emulator = await emulated({ seed: probeSeed, ...options });
    const { file, report, person } = await record(emulator, ...more);
    await emulator.close();
    const { code, stdout, stderr } = await person.types(["probe", "--replay", file, "--json"]);
    const replayed = probeReportSchema.parse(JSON.parse(stdout));
    expect(stderr).not.toContain("warning");
    expect(verdicts(replayed)).toEqual(verdicts(report));
    expect(replayed.profile.behavior).toEqual(report.profile.behavior);
    expect(replayed.reads?.filter(({ problems }) => problems.length > 0)).toEqual([]);
    const read = replayed.reads?.filter(({ objects }) => objects > 0).map(({ type }) => type);
    expect(read).toEqual(expect.arrayContaining(["Project", "Pipeline", "WorkspaceMember", "Variable"]));
    expect(code).toBe(report.exitCode);
  });

  it("says where the provider cannot read what was recorded, and what is judged otherwise", async () => {
    const { file, text, person } = await record(await emulated({ seed: probeSeed }));
    writeFileSync(
      file,
      text.replaceAll(/"trigger_mode": "MANUAL"/g, '"name": 7').replace('"holds"', '"differs"'),
    );
    const { code, stdout, stderr } = await person.types(["probe", "--replay", file]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Pipeline: .*is not what the service promises/);
    expect(stderr).toMatch(/warning: single-action-paths is "holds" now, and was "differs"/);
  });

  it("refuses other files, and options that ask a service", async () => {
    const person = personAt(await emulated());
    const file = join(temporaryFolder(), "no.json");
    writeFileSync(file, '{"version":1}');
    expect((await person.types(["probe", "--replay", file])).stderr).toContain("recording of");
    expect((await person.types(["probe", "--replay", "none.json"])).stderr).toContain("none.json");
    expect((await person.types(["probe", "--replay", file, "-c", "x"])).stderr).toContain("sends nothing");
  });
});

describe("the recordings of services", () => {
  const recorded = {
    "as-assumed": [{ showSchedule: true, echoMemberEmail: true }, ["--write", "--project", "scratch"]],
    "everything-else": [otherService, ["--write", "--project", "scratch"]],
  } as const;

  it.runIf(process.env["UPDATE_RECORDINGS"])("are written", async () => {
    mkdirSync(FOLDER, { recursive: true });
    const text = JSON.stringify(probeSeed, (_, value: unknown) =>
      Array.isArray(value) ? value.slice(0, 4) : value,
    );
    const seed = JSON.parse(text) as Seed;
    for (const [name, [options, more]] of Object.entries(recorded)) {
      const { text: written } = await record(await emulated({ seed, ...options }), ...more);
      writeFileSync(join(FOLDER, `${name}.json`), written);
    }
  });

  it.each(readdirSync(FOLDER).filter((name) => name.endsWith(".json")))(
    "%s is judged and read as it was recorded",
    async (name) => {
      const person = personAt(await emulated());
      const { stdout, stderr } = await person.types(["probe", "--json", "--replay", join(FOLDER, name)]);
      const { reads } = probeReportSchema.parse(JSON.parse(stdout));
      expect(stderr).not.toContain("warning");
      expect(reads?.filter(({ problems }) => problems.length > 0)).toEqual([]);
      expect(reads?.some(({ objects }) => objects > 0)).toBe(true);
    },
  );
});
