/** The files of runs of a fleet that commands read again. Rows as in docs/security.md. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FleetEntry } from "../../../cli/commands/fleet/fleet-file.js";
import { notifyOwners } from "../../../cli/commands/fleet/notify-owners.js";
import { computeFleetFingerprint } from "../../../cli/commands/fleet/outcome.js";
import { openProgressFile } from "../../../cli/commands/fleet/progress-store.js";
import type { FleetResult } from "../../../cli/commands/fleet/result.js";
import { mergeReports, readApprovedPlans } from "../../../cli/commands/fleet/saved-reports.js";
import { assignShards, readFigures } from "../../../cli/commands/fleet/shards.js";
import { testIo } from "../../cli/support.js";
import { environment } from "./judge.js";
import { folder, OWN, put, type ReturnedFile } from "./returned-file.js";

const result = (name: string, plan: FleetResult["plan"]): FleetResult => ({
  ...{ name, file: `${name}.yaml`, stack: name, workspace: "acme", baseUrl: OWN },
  ...{ result: "ok", exitCode: 0, summary: "1 to create", seconds: 1.5, plan: plan ?? "changes" },
  ...{ fingerprint: `sha256:${name}`, requests: 3, objects: 7, report: { version: 2 } },
});
const fleetReport = (results: FleetResult[], more: object = {}) => ({
  ...{ version: 2, tool: { name: "workspacectl", version: "1.0.0" }, command: "preview", exitCode: 0 },
  fingerprint: computeFleetFingerprint({ command: "preview", results }),
  ...{ groups: [], notes: [], workspaces: results, ...more },
});
const all = [result("lab", "changes"), result("us", "nothing"), result("eu", "changes")];
const entries = [...all.map(({ name }) => name), "other"].map((name) => ({ name }) as FleetEntry);
const approved = computeFleetFingerprint({ command: "preview", results: all });
const readPlans = (file: string) => [...readApprovedPlans(file, approved, entries)].toSorted();
const PLANS = [
  ["eu", "sha256:eu"],
  ["lab", "sha256:lab"],
];
const of = { lab: 1, us: 2, eu: 2 };
const shardReport = (index: number, results: FleetResult[]) =>
  fleetReport(results, { shard: { index, count: 2, of } });

export const fleetFiles: readonly ReturnedFile[] = [
  {
    row: "report of `fleet preview`",
    sample: fleetReport(all),
    act: readPlans,
    expected: PLANS,
  },
  {
    row: "reports of shards",
    sample: shardReport(2, all.slice(1)),
    async act(file) {
      const first = put(join(folder(), "1.json"), JSON.stringify(shardReport(1, all.slice(0, 1))));
      const { io, written } = testIo(environment);
      await mergeReports({ reports: [first, file], format: [{ format: "json" }] } as never, io);
      return readPlans(put(join(folder(), "merged.json"), written().stdout));
    },
    expected: PLANS,
  },
  {
    row: "progress of `fleet up`",
    sample: {
      ...{ version: 1, startedAt: "2026-01-01T00:00:00.000Z", done: { lab: "sha256:1" } },
      ...{ gates: { canary: "sha256:2" }, claims: { lab: 1 } },
    },
    async act(file) {
      const checkout = folder();
      mkdirSync(join(checkout, ".git"));
      const env = { ...environment, WORKSPACE_AUTOMATION_JOURNAL: join(checkout, "journal") };
      const store = openProgressFile(join(checkout, "fleet.yaml"), undefined, env);
      put(store.name, readFileSync(file, "utf8"));
      return (await store.read()) ?? "nothing";
    },
    // Nothing in a checkout is read, whatever it says.
    expected: "nothing",
  },
  {
    row: "state file of `fleet drift`",
    sample: { version: 1, posted: { team: "sha256:1", other: "sha256:2" } },
    async act(file) {
      const results = [{ ...result("lab", "changes"), result: "drift" as const }];
      const owned = [{ name: "lab", notify: "team" } as unknown as FleetEntry];
      const env = { ...environment, WORKSPACE_AUTOMATION_NOTIFY_TEAM: "http://127.0.0.1:9/hook" };
      const hosts = new Set<string>();
      const original = globalThis.fetch;
      globalThis.fetch = (input) => {
        hosts.add(new URL(input as URL).host);
        return Promise.resolve(new Response(null, { status: 204 }));
      };
      try {
        await notifyOwners(owned, { command: "drift", results }, file, testIo(env).io);
      } finally {
        globalThis.fetch = original;
      }
      return [...hosts].filter((host) => host !== "127.0.0.1:9");
    },
    expected: [],
  },
  {
    row: "figures of a fleet",
    sample: { version: 1, workspaces: { lab: { requests: 3, objects: 7 }, eu: { requests: 1, objects: 2 } } },
    act(file) {
      const shards = assignShards(entries, readFigures(file), 2);
      return [Object.keys(shards).toSorted(), Object.values(shards).every((one) => one === 1 || one === 2)];
    },
    expected: [["eu", "lab", "other", "us"], true],
  },
];
