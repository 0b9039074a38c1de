/**
 * Performs one story of a partial run: objects are renamed in the file on every level, a run is limited to some of them, and one request of it
 * is refused or lost. The engine accepts the state that is left, nothing that the run did counts as changed outside, and the next `up` makes
 * the workspace match the file.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { findDamage } from "../../automation/stack/state-integrity.js";
import type { Fault } from "../../emulator/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { readDeclarations } from "../../workspace-file/load/load.js";
import { chooseService } from "../services/chosen-service.js";
import { withNewNames } from "../truth/workspace.js";
import { differences } from "./compare.js";
import { laterPlan, type Plan, randomPlan } from "./plan.js";
import { type Random, randomOf } from "./random.js";
import type { Outcome } from "./run.js";
import { type Ended, Stage } from "./stage.js";

const ALLOWED = ["--yes", "--max-deletes", "1000", "--max-delete-share", "100", "--allow-delete", "**"];

/** Refused once; lost once, so that a second attempt follows; or lost with each attempt. */
const FAULTS: readonly Fault[] = [
  { kind: "status", status: 400, message: "Not now" },
  { kind: "status", status: 400, message: "Not now" },
  { kind: "reset-after" },
  { kind: "reset-after", count: 20 },
];

/** @param seed reproduces the story */
export async function partialRun(seed: number): Promise<Outcome> {
  const random = randomOf(seed);
  const service = chooseService(seed, ["echoMemberEmail", "strictBodies"]);
  const stage = await Stage.open({ ...service, strictBodies: true, echoMemberEmail: true });
  let story = `the service differs in ${JSON.stringify(service)}`;
  try {
    const world = new World(stage, random);
    await world.begin();
    for (let runs = random.between(1, 2); runs > 0; runs -= 1) {
      const fault = random.chance(0.7) ? world.plantFault() : undefined;
      const { what, run } = world.choose();
      const ended = await run();
      stage.emulator.faults.clear();
      const because = fault === undefined ? "" : `, ${describe(fault)}`;
      story += `; ${what}${because}: exit ${ended.code}`;
      const problems = await world.check(ended);
      if (problems.length > 0) return { seed, story, problems };
    }
    return { seed, story, problems: await world.finish() };
  } catch (error) {
    return { seed, story, problems: [(error as Error).message] };
  } finally {
    await stage.close();
  }
}

interface Choice {
  readonly what: string;
  readonly run: () => Promise<Ended>;
}

class World {
  private readonly edited = new Set<string>();
  private readonly engine: string;
  private readonly checkpoint: string;

  constructor(
    private readonly stage: Stage,
    private readonly random: Random,
  ) {
    this.engine = random.chance(0.2) ? "plugin" : "dynamic";
    this.checkpoint = random.chance(0.3) ? "every" : "journal";
  }

  /** Applies a workspace, and declares a later one with new names. */
  async begin(): Promise<void> {
    const { stage, random } = this;
    const plan = randomPlan(random, stage.emulator.workspace);
    stage.declare(plan);
    const { code, output } = await this.up("--create-stack");
    if (code !== 0) throw new Error(`the first up failed:\n${output}`);
    const later = random.chance(0.4) ? laterPlan(random, plan) : plan;
    stage.declare(withNewNames(random, later, random.pick([0.2, 0.5, 0.9])));
  }

  plantFault(): Fault {
    const { stage, random } = this;
    const method = random.pick(["PATCH", "PATCH", "POST", "DELETE"]);
    const fault = { ...random.pick(FAULTS), method, skip: random.below(random.pick([1, 2, 5])) };
    stage.emulator.faults.add(fault);
    return fault;
  }

  choose(): Choice {
    const { random } = this;
    const only = this.chooseNames().flatMap((name) => ["--only", name]);
    const limited = `--only ${only.filter((word) => word !== "--only").join(" ")}`;
    return random.pick<Choice>([
      { what: "up", run: () => this.up() },
      { what: `up ${limited}`, run: () => this.up(...only) },
      { what: `up ${limited}`, run: () => this.up(...only) },
      { what: `up ${limited}`, run: () => this.up(...only) },
      { what: `a saved plan of ${limited}`, run: () => this.applySaved(only) },
      { what: "drift revert", run: () => this.settle("revert") },
      { what: "drift accept", run: () => this.settle("accept") },
    ]);
  }

  /** Names and patterns of declared objects, some of them with what is in them. */
  private chooseNames(): string[] {
    const { random, stage } = this;
    const text = readFileSync(join(stage.folder, "workspace.yaml"), "utf8");
    const { declarations } = readDeclarations("-", { env: {}, stdin: () => text });
    const renamed = declarations.filter(({ formerNames }) => formerNames.length > 0);
    const from = renamed.length > 0 && random.chance(0.8) ? renamed : declarations;
    return Array.from({ length: random.between(1, 3) }, () => {
      const { name, formerNames } = random.pick(from);
      const { section } = new LogicalName(name);
      return random.pick([name, name, `${name}/**`, ...formerNames.slice(0, 1), `${section}/*`]);
    });
  }

  private async applySaved(only: readonly string[]): Promise<Ended> {
    const preview = await this.ours("preview", ...only, "--save-plan", "plan.json", ...ALLOWED.slice(1));
    return preview.code === 0 ? this.ours("up", "--plan", "plan.json", "--yes") : preview;
  }

  /** Changes a group by hand, and settles this. */
  private async settle(how: "revert" | "accept"): Promise<Ended> {
    const { emulator } = this.stage;
    const path = `/workspaces/${emulator.workspace}/groups`;
    const { body } = await emulator.edit({ method: "GET", path });
    const [group] = (body as { groups: { id: number }[] }).groups;
    if (group !== undefined) {
      const description = `by hand ${this.random.below(100)}`;
      await emulator.edit({ method: "PATCH", path: `${path}/${group.id}`, body: { description } });
      this.edited.add("groups");
    }
    return how === "revert"
      ? this.ours("drift", "revert", "--all", ...ALLOWED)
      : this.ours("drift", "accept", "--all");
  }

  /** The engine accepts the state, and nothing is called a change from outside that was none. */
  async check({ output }: Ended): Promise<string[]> {
    const problems: string[] = [];
    const damage = findDamage(this.stage.state());
    if (damage !== undefined) problems.push(`the state is damaged: ${damage}`);
    if (/integrity|unexpected error|unknown option/.test(output)) problems.push(`it ended badly:\n${output}`);
    const drift = await this.ours("drift", "--format", "json=drift.json");
    if (![0, 7].includes(drift.code ?? -1)) return [...problems, `drift failed:\n${drift.output}`];
    const report = JSON.parse(readFileSync(join(this.stage.folder, "drift.json"), "utf8")) as {
      findings: readonly { name: string; class: string; path: string }[];
    };
    const outside = report.findings.filter(
      (one) =>
        ["changed", "deleted", "added"].includes(one.class) &&
        !this.edited.has(new LogicalName(one.name).steps[0]?.section ?? ""),
    );
    problems.push(...outside.map((one) => `called ${one.class} outside: ${one.name} ${one.path}`));
    if (/outside of Pulumi/.test(drift.output)) problems.push(`a rename outside:\n${drift.output}`);
    return problems.length > 0 ? [...problems, output] : [];
  }

  /** The next `up` finishes, and then nothing is left to do. */
  async finish(): Promise<string[]> {
    const { stage } = this;
    const { code, output } = await this.up();
    if (code !== 0) return [`the next up failed:\n${output}`];
    const plan = parse(readFileSync(join(stage.folder, "workspace.yaml"), "utf8")) as Plan;
    const problems = await differences(stage.emulator, plan);
    const preview = await this.ours("preview");
    if (preview.code !== 0 || !preview.output.includes("No changes"))
      problems.push(`something is left to do:\n${preview.output}`);
    return problems.length > 0 ? [...problems, output] : [];
  }

  private up(...more: string[]): Promise<Ended> {
    return this.ours("up", ...ALLOWED, "--checkpoint", this.checkpoint, "--delete-project", "*", ...more);
  }

  private ours(...argv: string[]): Promise<Ended> {
    const engine = argv[0] === "drift" ? [] : ["--engine", this.engine];
    return this.stage.workspacectl(...argv, ...engine);
  }
}

function describe({ kind, method, skip = 0, count = 1 }: Fault): string {
  return `${kind} on ${count} ${method ?? ""} after ${skip}`;
}
