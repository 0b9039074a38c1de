/**
 * What plans, drift reports and accepted edits promise, on the real engine: a random workspace is changed by hand at random, and each command
 * has to be true to what it said. The service's own contents are the judge (snapshot.ts).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import type { EmulatorOptions } from "../../emulator/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { type Random, randomOf } from "../chaos/random.js";
import { connected, emulatorForTests, type Ended, type Setup, setUp, workspacectl } from "../e2e/support.js";
import { catchUp, chooseService, useProfile } from "../services/chosen-service.js";
import { changedBetween, changedOutside, differsUnseen, findNewName, unlikeFresh } from "./expected.js";
import { editAtRandom } from "./outside-edits.js";
import { allowCron, scheduledByHand, withoutSchedule } from "./schedules.js";
import { Snapshot } from "./snapshot.js";
import { laterWorkspace, randomWorkspace, textOf, type Workspace } from "./workspace.js";

interface Named {
  readonly name: string;
}

interface DriftJson {
  readonly findings: readonly (Named & { readonly class: string; readonly secret: boolean })[];
}

interface PlannedStep extends Named {
  readonly operation: string;
  readonly within?: string;
  readonly formerName?: string;
  readonly changes: readonly { readonly path: string }[];
}

interface PlanJson {
  readonly plan: {
    readonly steps: readonly PlannedStep[];
    readonly drift: readonly Named[];
  };
  readonly unmanagedContents: readonly Named[];
}

/** How the drift is settled: also by the `up` of a later version of the file. */
export type Settling = "accept" | "revert" | "up" | "later";

const ALLOWED = ["--yes", "--allow-delete", "**", "--max-deletes", "1000", "--max-delete-share", "100"];
const EMULATED = { echoMemberEmail: true, strictBodies: true, rateLimit: 1_000_000 };
/** Settings without whose defaults no report can name what was changed by hand, or not everything can be settled. */
const SHOWN = ["encryptedValues", "showSchedule", "keptWhileUsed", "uniqueNames", "projectCreators"] as const;

/** Commands that only read, besides `preview` and `drift`, and the exit codes that a workspace changed by hand may lead to. */
const READERS: readonly { readonly argv: readonly string[]; readonly codes: readonly number[] }[] = [
  { argv: ["export", "-o", "exported.yaml"], codes: [0, 10] },
  { argv: ["export", "--dry-run", "-o", "workspace.yaml"], codes: [0, 7, 10] },
  { argv: ["drift", "accept", "--all", "--dry-run"], codes: [0, 1] },
  { argv: ["compare", "workspace.yaml", "connection:"], codes: [0, 7] },
  { argv: ["access"], codes: [0] },
  { argv: ["owners", "workspace.yaml"], codes: [0] },
  { argv: ["what-runs", "--push", "main"], codes: [0] },
  { argv: ["graph"], codes: [0] },
  { argv: ["validate"], codes: [0] },
  { argv: ["lint"], codes: [0, 1] },
];

/** Checks one random workspace, and returns the types of the objects that it declared and that were changed by hand. */
export async function checkInvariants(
  seed: number,
  settling: Settling,
): Promise<{ declared: readonly string[]; edited: readonly string[] }> {
  const random = randomOf(seed);
  // The fresh stack of a comparison is selected when it is created.
  const service = { ...chooseService(seed, SHOWN), ...EMULATED };
  const opened = await setUp("version: 1\n", service, { PULUMI_STACK: "dev" });
  Object.assign(opened.env, useProfile(opened.emulator, opened.folder));
  const run: Setup["run"] = (...argv) => catchUp(opened.emulator).then(() => opened.run(...argv));
  const world = { ...opened, run };
  const workspace = randomWorkspace(random, world.emulator.workspace);
  const done: string[] = [];
  writeFileSync(world.file, textOf(workspace));
  try {
    expectOk(await world.run("up", "--create-stack", ...ALLOWED));
    const before = await Snapshot.of(world.emulator);
    // Only accepting settles them: `up` and `drift revert` refuse to create a second object of the same name.
    const recreates = settling === "accept";
    const edits = await editAtRandom(world.emulator, random, random.between(1, 6), { recreates });
    done.push(...edits.map(({ text }) => text));
    await new Check(world, service, random, workspace, before).of(settling);
    return {
      declared: [...new Set(before.all.map(({ type }) => type))],
      edited: edits.map(({ type }) => type),
    };
  } catch (error) {
    const file = readFileSync(world.file, "utf8").replaceAll(/\S.{500,}/g, (line) => line.slice(0, 80));
    (error as Error).message +=
      `\nseed ${seed}, ${settling}, service ${JSON.stringify(service)}; by hand:\n${done.join("\n")}\n${file}`;
    throw error;
  }
}

class Check {
  constructor(
    private readonly world: Setup,
    private readonly service: EmulatorOptions,
    private readonly random: Random,
    private workspace: Workspace,
    private readonly before: Snapshot,
  ) {}

  async of(settling: Settling): Promise<void> {
    const [edited, applied] = [await Snapshot.of(this.world.emulator), this.workspace];
    if (settling === "later") this.write(laterWorkspace(this.random, structuredClone(applied)));
    const refused = withoutSchedule(this.before, edited, applied, this.workspace);
    if (refused.length > 0) {
      await this.expectRefused(refused);
      this.write(allowCron(this.random, structuredClone(this.workspace), refused));
    }
    const { drift, announced } = await this.read();
    const outside = drift.findings.filter((one) => ["changed", "deleted"].includes(one.class));
    expect(names(announced.plan.drift), "preview and drift name the same objects as changed outside").toEqual(
      names(outside),
    );
    if (settling !== "later") {
      const { changed, unmanaged } = changedOutside(this.before, edited, this.workspace);
      const found = names(outside).filter((name) => changed.has(name) || !unmanaged.has(name));
      expect(found, "drift names exactly what was changed outside").toEqual([...changed].toSorted());
    }
    if (settling === "accept") await this.accept(drift, edited);
    else if (settling === "revert") await this.revert(drift);
    else await this.apply(announced, edited, applied);
  }

  /** What the service documents no way to do is refused, by name and before anything is written. */
  private async expectRefused(refused: readonly string[]): Promise<void> {
    const { run, emulator } = this.world;
    emulator.journal.clear();
    for (const command of [["preview"], ["up", ...ALLOWED]]) {
      const { code, stderr } = await run(...command);
      expect(code, stderr).toBe(1);
      for (const name of refused) expect(stderr).toContain(name);
    }
    expect(this.writes(), "a refused plan writes nothing").toEqual([]);
  }

  /** Commands that read write nothing, neither to the workspace nor to the state. */
  private async read() {
    const { run, emulator } = this.world;
    emulator.journal.clear();
    const state = this.state();
    const drift = await this.drift();
    const preview = await run("preview", "--json");
    expect([0, 1], preview.stderr).toContain(preview.code);
    const announced = JSON.parse(preview.stdout) as PlanJson;
    const { argv, codes } = this.random.pick(READERS);
    const ended = await workspacectl(argv, this.world.folder, this.world.env);
    const added = new Set(drift.findings.filter((one) => one.class === "added").map(({ name }) => name));
    // An object that was created again may be equal.
    const visible = drift.findings.filter((one) => isVisibleChange(one) && !added.has(one.name));
    const differs = argv[0] === "compare" && visible.length > 0;
    expect(differs ? [7] : codes, `${argv.join(" ")}: ${ended.stdout}${ended.stderr}`).toContain(ended.code);
    expect(this.writes(), `commands that read write nothing: ${argv.join(" ")}`).toEqual([]);
    expect(this.state() === state, `${argv.join(" ")} writes no state`).toBe(true);
    return { drift, announced };
  }

  private async apply(announced: PlanJson, edited: Snapshot, applied: Workspace): Promise<void> {
    const { run, emulator } = this.world;
    const ended = await run("up", "--json", ...ALLOWED);
    expectOk(ended);
    const done = (JSON.parse(ended.stdout) as PlanJson).plan;
    expect(steps(done), "up does what preview announced").toEqual(steps(announced.plan));
    const after = await Snapshot.of(emulator);
    const formerNames = new Map(
      edited.all
        .filter(({ type }) => type === "Project")
        .map(({ name }) => [nameOfProject(findNewName(this.workspace, name)), nameOfProject(name)] as const),
    );
    const changed = changedBetween(edited, after.before(formerNames), this.workspace, this.before, applied);
    const written = announced.plan.steps.filter(
      ({ operation, name, formerName, changes }) =>
        !["release", "adopt"].includes(operation) &&
        // What is in a renamed project only follows in the state.
        !(operation === "update" && changes.length > 0 && changes.every(({ path }) => path === "project")) &&
        // An order that only follows from what is added or deleted needs no request, and no snapshot shows the owner of a list or a schedule.
        (changed.has(name) ||
          !(name.endsWith("/actionOrder") || differsUnseen(name, applied, this.workspace, formerName))),
    );
    const said = [
      ...written.map(({ within, name }) => within ?? name),
      ...names(announced.unmanagedContents),
    ];
    expect([...changed].toSorted(), "what changes in the service was announced, and the reverse").toEqual(
      [...new Set(said)].toSorted(),
    );
    await this.expectAsFresh(after);
    await this.expectSettled(["changed", "deleted"]);
  }

  private async revert(drift: DriftJson): Promise<void> {
    if (drift.findings.length > 0) expectOk(await this.world.run("drift", "revert", "--all", ...ALLOWED));
    await this.expectAsFresh(await Snapshot.of(this.world.emulator));
    await this.expectSettled(["changed", "deleted"]);
  }

  private async accept(drift: DriftJson, edited: Snapshot): Promise<void> {
    const { run, emulator, file } = this.world;
    // The service does not show the schedule that a file would have to declare.
    const unknown = scheduledByHand(this.before, edited, this.workspace);
    if (drift.findings.length > 0) {
      const { code, stdout, stderr } = await run("drift", "accept", "--all");
      expect(code, stdout + stderr).toBe(unknown.length > 0 ? 1 : 0);
    }
    expect(this.writes(), "accepting changes the file only").toEqual([]);
    if (unknown.length > 0) expectOk(await run("drift", "revert", ...unknown, ...ALLOWED));
    await this.sendSecrets(drift);
    await this.expectSettled(["changed", "deleted", "added"]);
    this.workspace = parse(readFileSync(file, "utf8")) as Workspace;
    await this.expectAsFresh(await Snapshot.of(emulator));
  }

  /** A secret that nobody can read is a placeholder in an accepted file. `up` sends its value and nothing else. */
  private async sendSecrets({ findings }: DriftJson): Promise<void> {
    const { run, emulator, env, file } = this.world;
    for (const [, name] of readFileSync(file, "utf8").matchAll(/\$\{(?:secret:)?env:(\w+)/g))
      env[`WORKSPACE_VAR_${name}`] = "a secret";
    const secrets = findings.filter((one) => one.class === "changed" && one.secret);
    if (secrets.length === 0) return;
    emulator.journal.clear();
    expectOk(await run("up", ...ALLOWED));
    const ids = secrets.map(({ name }) => this.before.named(name)?.id.split("/").at(-1));
    expect(this.writes().toSorted(), "up sends the secrets").toEqual(
      ids.map((id) => `PATCH /workspaces/${emulator.workspace}/variables/${id}`).toSorted(),
    );
  }

  /** Afterwards nothing is left to do. */
  private async expectSettled(classes: readonly string[]): Promise<void> {
    const { run, emulator } = this.world;
    emulator.journal.clear();
    expectOk(await run("up", ...ALLOWED));
    expect(this.writes(), "up writes nothing").toEqual([]);
    const left = (await this.drift()).findings.filter((one) => classes.includes(one.class));
    expect(left, "drift is clean").toEqual([]);
  }

  /** The workspace has what a fresh `up` of the same file makes in an empty one. */
  private async expectAsFresh(settled: Snapshot): Promise<void> {
    const { file, folder, env } = this.world;
    const fresh = await emulatorForTests(this.service);
    // An `adopt` that was accepted does not matter to a fresh workspace.
    expectOk(
      await workspacectl(["up", "--create-stack", "--stack", "fresh", ...ALLOWED, "-f", file], folder, {
        ...env,
        ...connected(fresh),
      }),
    );
    const unlike = unlikeFresh(settled, await Snapshot.of(fresh), this.workspace);
    expect(unlike, "the workspace is as a fresh up of the file makes it").toEqual([]);
    await fresh.close();
  }

  private async drift(): Promise<DriftJson> {
    const { run, folder } = this.world;
    const ended = await run("drift", "--format", "json=drift.json");
    expect([0, 7], ended.stderr).toContain(ended.code);
    return JSON.parse(readFileSync(join(folder, "drift.json"), "utf8")) as DriftJson;
  }

  private write(workspace: Workspace): void {
    this.workspace = workspace;
    writeFileSync(this.world.file, textOf(workspace));
  }

  private writes(): string[] {
    return this.world.emulator.journal.writes().map(({ method, path }) => `${method} ${path}`);
  }

  private state(): string {
    const folder = join(this.world.folder, ".pulumi-state/.pulumi/stacks/workspace-automation");
    return readFileSync(join(folder, "dev.json"), "utf8");
  }
}

const nameOfProject = (name: string) => new LogicalName(name).key;

function names(all: readonly Named[]): string[] {
  return [...new Set(all.map(({ name }) => name))].toSorted();
}

function steps({ steps: all }: PlanJson["plan"]): string[] {
  return all.map(({ operation, name }) => `${operation} ${name}`).toSorted();
}

/** The service shows no secret, so a comparison with a file cannot notice that one changed. */
function isVisibleChange({ class: kind, secret }: DriftJson["findings"][number]): boolean {
  return ["changed", "deleted"].includes(kind) && !secret;
}

function expectOk({ code, stdout, stderr }: Ended): void {
  expect(code, stdout + stderr).toBe(0);
}
