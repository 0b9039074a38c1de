/** The files of earlier jobs and runs that commands read again: what each says, and what a command does with it. Rows as in docs/security.md. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseJsonIfValid, readJsonFile } from "../../../automation/config-files/checked-files.js";
import { planEdits } from "../../../automation/drift/accept-edits.js";
import { AutomationError } from "../../../automation/errors.js";
import { openExisting } from "../../../automation/export/patch/existing-file.js";
import { openValues } from "../../../automation/export/remaining.js";
import { readRunOrigin } from "../../../automation/run-origin.js";
import {
  findChangedFiles,
  listTargetDifferences,
  planDifferences,
  readPlan,
} from "../../../automation/saved-plan/apply.js";
import { refuseOtherFile } from "../../../automation/saved-plan/approval.js";
import { receipt, savedPlan } from "../../../automation/saved-plan/schema.js";
import { findProject } from "../../../automation/stack/project.js";
import { chooseStack, selectStack } from "../../../automation/stack/stack-choice.js";
import { readTags } from "../../../automation/stack/stack-tags.js";
import { readReport } from "../../../cli/commands/drift/select-findings.js";
import { readProfile } from "../../../provider/connection/profile.js";
import { FolderBucket } from "../../../recovery/folder-bucket.js";
import { BucketLocks } from "../../../recovery/lock-store.js";
import { releaseLocksOfEnded } from "../../../recovery/lost-locks.js";
import { findOwner } from "../../../recovery/process-owner.js";
import { RunJournal } from "../../../recovery/run-journal.js";
import { hasChangedSince } from "../../../reports/deliver-report.js";
import { addAges, readFindingRecord, recordFindings } from "../../../reports/finding-record.js";
import { StateAddress } from "../../../trust/state-address.js";
import { editWorkspace } from "../../../workspace-file/edit/edit.js";
import { finding, reportWith } from "../../cli/commands/drift/support.js";
import { testIo } from "../../cli/support.js";
import { MemoryStore } from "../../recovery/memory-store.js";
import { fleetFiles } from "./fleet-files.js";
import { environment } from "./judge.js";
import { folder, OWN, put, type ReturnedFile } from "./returned-file.js";

const digest = "0123456789abcdef";
const step = (name: string) => ({
  ...{ operation: "update", type: "Variable", name, before: { key: "A" }, after: { key: "A", value: "b" } },
  changes: [{ path: "value", pathParts: ["value"], before: null, after: "b" }],
  replacedFor: [],
});
const plan = savedPlan.parse({
  ...{ kind: "workspacectl-plan", formatVersion: 2, createdAt: "2026-03-04T12:00:00.000Z", tool: "0.1.0" },
  ...{ stack: "us", project: "shop", workspace: "acme", baseUrl: OWN, file: "workspace.yaml" },
  ...{ fingerprint: `sha256:${"0".repeat(64)}`, files: [{ path: "workspace.yaml", sha256: digest }] },
  ...{ refreshed: true, steps: [step("variables/A"), step("variables/B")], drift: [], unmanagedContents: [] },
  declared: { salt: "s", key: digest, objects: { "variables/A": digest, "variables/B": digest } },
  ...{ state: { "variables/A": digest }, live: { "variables/A": digest } },
  guards: { allowances: { allowDelete: ["groups/*"], maxDeletes: 20 }, verdicts: [] },
  requests: { made: { reads: 20, writes: 0 }, needed: { reads: 0, writes: 1 }, reserve: 1000 },
  pulumiPlan: {},
});

const WORKSPACE = `version: 1\nworkspace: acme\nguards: { maxDeletes: 1 }\ngroups:\n  QA: { description: Testers }\n  Ops: {}\n`;
const CHANGED = finding({ path: "description", pathParts: ["description"], live: "Others" });

const owner = findOwner(process.pid);
const lines = [
  { pid: process.pid, engine: "127.0.0.1:9", owner },
  { type: "Group", address: `${OWN}/workspaces/acme`, key: "QA", at: Date.now(), before: ["acme/1"] },
  { made: "QA", id: "acme/7" },
  {
    ...{ type: "Group", address: `${OWN}/workspaces/acme`, key: "Ops", at: Date.now() },
    creation: { urn: "urn:pulumi:dev::app::Group::Ops", inputs: { name: "Ops" }, secrets: [] },
  },
  { closed: "Ops" },
  { type: "", address: "", key: "c", at: Date.now(), change: { op: "delete", urn: "urn:x", id: "acme/9" } },
  { ended: "c" },
];
const joinLines = (value: unknown) =>
  Array.isArray(value) ? value.map((line) => JSON.stringify(line)).join("\n") : JSON.stringify(value);

const location = (root: string) => ({
  backendUrl: new StateAddress(pathToFileURL(root).href),
  project: "shop",
  stack: "dev",
});

export const returnedFiles: readonly ReturnedFile[] = [
  ...fleetFiles,
  {
    row: "saved plan",
    sample: JSON.parse(JSON.stringify(plan)),
    act(file) {
      const { plan: read } = readPlan(file);
      refuseOtherFile(read, plan.fingerprint);
      const differences = [
        ...listTargetDifferences(read, plan),
        ...findChangedFiles(read, plan),
        ...planDifferences(read, plan),
      ];
      if (differences.length > 0) throw new AutomationError(differences.join("\n"), "preview again");
      // What is applied is the present plan, not what the file says.
      return plan.steps.map(({ name }) => name);
    },
    expected: ["variables/A", "variables/B"],
  },
  {
    row: "report of `drift`",
    sample: reportWith({ findings: [CHANGED, { ...CHANGED, id: "2", name: "groups/Ops" }] }),
    act(file) {
      const { findings } = readReport(file);
      const root = folder();
      const workspace = put(join(root, "workspace.yaml"), WORKSPACE);
      const { reading, declared } = openExisting(workspace, {}, environment);
      const edits = planEdits(findings, declared).edits.map(({ edit }) => edit);
      const { files } = editWorkspace(workspace, { ...reading, writeFiles: false }, edits);
      const changed = files.map(({ path, after }) => [path, /guards: .*/.exec(after ?? "")?.[0]]);
      const others = changed.filter(
        ([path, guards]) => path !== workspace || guards !== "guards: { maxDeletes: 1 }",
      );
      return { others, left: readdirSync(root) };
    },
    expected: { others: [], left: ["workspace.yaml"] },
  },
  {
    row: "journal next to a state in the checkout",
    sample: lines,
    format: joinLines,
    async act(file) {
      const store = new MemoryStore();
      store.files.set("1.jsonl", readFileSync(file, "utf8"));
      const journal = new RunJournal(store, { env: {}, besideState: true });
      for (const key of ["QA", "Ops", "c"])
        await journal.openIntent({ type: "Group", address: `${OWN}/workspaces/acme`, key });
      await journal.accountsFor({ type: "Group", address: `${OWN}/workspaces/acme`, id: "acme/7" });
      await journal.removeDone();
      journal.end();
      return "it is only looked for";
    },
    expected: "it is only looked for",
  },
  {
    row: "records next to Pulumi's locks",
    sample: [
      { pid: 1, username: "a", hostname: "host", timestamp: "2026-01-01T00:00:01Z" },
      { beat: 3, pid: 1, hostname: "host", since: "2026-01-01T00:00:00Z", owner },
    ],
    async act(file) {
      const root = folder();
      const text = readFileSync(file, "utf8");
      const value = parseJsonIfValid(text);
      const [lock, record] = (Array.isArray(value) ? (value as unknown[]) : [value, value]).map((part) =>
        part === undefined ? text : JSON.stringify(part),
      );
      const at = join(root, ".pulumi");
      put(join(at, "locks/organization/shop/dev/1.json"), lock ?? "");
      put(join(at, "workspacectl/lock-holders/shop/dev/2.json"), record ?? "");
      const store = new BucketLocks(new FolderBucket(root), location(root));
      await releaseLocksOfEnded(store, { onReleased: () => undefined });
      return "at most, the lock";
    },
    expected: "at most, the lock",
  },
  {
    row: "tags of a stack",
    programs: ["pulumi"],
    sample: {
      version: 1,
      tags: { "workspacectl:approval": "started sha256:1", "workspacectl:file": "a.yaml" },
    },
    async act(file) {
      const root = folder();
      put(join(root, ".pulumi/meta.yaml"), "version: 1\n");
      put(join(root, ".pulumi/stacks/shop/dev.json"), "{}");
      put(join(root, ".pulumi/stacks/shop/dev.pulumi-tags"), readFileSync(file, "utf8"));
      const cli = { command: "/nowhere/pulumi", cwd: root, env: {}, location: location(root) };
      const tags = await readTags(cli, "dev", ["workspacectl:approval", "workspacectl:file"]);
      return Object.values(tags).every((tag) => tag === undefined || typeof tag === "string");
    },
    expected: true,
  },
  {
    row: "selected stack",
    sample: { stack: "dev", stacks: { "file:///state": "eu" } },
    async act(file) {
      const root = folder();
      const named = put(join(root, "workspace.yaml"), WORKSPACE);
      const env = { ...environment, PULUMI_HOME: join(root, "home") };
      const project = findProject(named);
      const backend = { url: new StateAddress("file:///state"), isOwn: false } as never;
      await selectStack(project, backend, env, "eu");
      const selection = join(root, "home/workspaces");
      const [name = ""] = readdirSync(selection);
      put(join(selection, name), readFileSync(file, "utf8"));
      const stacks = { project, backend, list: () => Promise.resolve([]) };
      const { name: chosen } = await chooseStack({ file: named }, stacks, testIo(env).io);
      return /^[\w.-]{1,100}(\/[\w.-]{1,100}){0,2}$/.test(chosen);
    },
    expected: true,
  },
  {
    row: "receipts",
    sample: {
      ...{ kind: "workspacectl-receipt", formatVersion: 1, tool: "1", stack: "us", project: "shop" },
      ...{ workspace: "acme", baseUrl: OWN, files: [], by: { actor: "ann" }, outcome: "succeeded" },
      ...{ startedAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T00:00:01.000Z", counts: {} },
      ...{ done: [{ operation: "create", type: "Group", name: "groups/QA" }], verdicts: [] },
      requests: { made: { reads: 1, writes: 1 } },
    },
    act: (file) => readJsonFile(receipt, file, { what: "a receipt", remedy: "" }).kind,
    expected: "workspacectl-receipt",
  },
  {
    row: "state file of `drift` and `compare`",
    sample: {
      ...{ version: 1, stack: "us" },
      findings: [
        {
          ...{ id: "changed-1", class: "changed", type: "Group", name: "groups/QA", path: "description" },
          ...{ since: "2026-01-01T00:00:00.000Z", seen: "2026-01-02T00:00:00.000Z", runs: 2 },
        },
      ],
    },
    act(file) {
      const report = reportWith();
      const record = recordFindings(readFindingRecord(file), report);
      return addAges(report, record).findings.map(({ since: _since, runs: _runs, ...one }) => one.id);
    },
    expected: reportWith().findings.map(({ id }) => id),
  },
  {
    row: "state file with the last set of findings",
    sample: { version: 1, fingerprint: "sha256:1" },
    act: (file) =>
      typeof hasChangedSince(file, { fingerprint: "sha256:1", findings: [], complete: true }) === "boolean",
    expected: true,
  },
  {
    row: "profile of a service",
    sample: {
      ...{ version: 1, service: OWN, measuredAt: "2026-01-01T00:00:00Z", wrote: false },
      ...{ behavior: { maxPerPage: 10 }, assumptions: {} },
    },
    act: (file) => readProfile(file).file === file,
    expected: true,
  },
  {
    row: "state of Terraform",
    sample: {
      format_version: "1.0",
      values: {
        root_module: { resources: [{ mode: "managed", values: { key: "TOKEN", value: "a'; true" } }] },
      },
    },
    act(file) {
      const variablesFile = join(dirname(file), "workspace.env");
      const needed = { variable: "TOKEN", name: "variables/TOKEN", arg: "value", also: [] };
      openValues([needed], { variablesFile, valuesFrom: file }, testIo(environment).io);
      const values = readFileSync(variablesFile, "utf8").match(/^WORKSPACE_VAR_TOKEN=.*$/gm) ?? [];
      // One word for the shell.
      return values.map((line) => /^\w+=('[^']*'|\\'|"'"|[\w.@%+,/-])*$/.test(line));
    },
    expected: [true],
  },
  {
    row: "event of a CI run",
    sample: { workflow_run: { head_sha: "abc" }, pull_request: { head: { sha: "def" } } },
    act(file) {
      const env = { GITHUB_ACTIONS: "true", GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: "a/b" };
      const { commit } = readRunOrigin(env);
      return commit === undefined || typeof commit === "string";
    },
    expected: true,
  },
];
