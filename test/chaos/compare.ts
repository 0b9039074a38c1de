/** Compares the contents of a workspace, as the emulator reports them, with a plan. */
import type { Emulator } from "../../emulator/index.js";
import { readPlainly } from "../services/chosen-service.js";
import type { Pipeline, Plan, Variables } from "./plan.js";

type Json = Record<string, unknown>;

/** Returns one line per difference between the plan and the workspace. */
export async function differences(
  emulator: Emulator,
  plan: Plan | undefined,
  workspace: string = emulator.workspace,
): Promise<string[]> {
  const declared = plan === undefined ? [] : declaredFacts(plan);
  const live = await liveFacts(emulator, workspace);
  return [
    ...minus(declared, live).map((fact) => `missing in the workspace: ${fact}`),
    ...minus(live, declared).map((fact) => `not declared, or there twice: ${fact}`),
  ];
}

/** Returns the facts that are missing in the second list, or occur there less often. */
function minus(facts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return facts.filter((fact) => {
    const at = left.indexOf(fact);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function declaredFacts(plan: Plan): string[] {
  const facts = [
    ...Object.entries(plan.members).map(([email, { admin }]) => fact("member", email, admin === true)),
    ...Object.entries(plan.permissionSets).map(([name, set]) =>
      fact("set", name, set.description, set.repositoryAccessLevel, set.pipelineAccessLevel),
    ),
    ...declaredVariables("workspace", plan.variables),
  ];
  for (const [name, group] of Object.entries(plan.groups)) {
    facts.push(fact("group", name, group.description));
    facts.push(...group.members.map((email) => fact("group member", name, email)));
  }
  for (const [name, project] of Object.entries(plan.projects)) {
    facts.push(fact("project", name, project.displayName));
    for (const [email, { permissionSet }] of Object.entries(project.members))
      facts.push(fact("project member", name, email, permissionSet));
    facts.push(...declaredVariables(name, project.variables));
    for (const [pipeline, value] of Object.entries(project.pipelines))
      facts.push(...declaredPipeline(`${name}/${pipeline}`, value));
  }
  return facts;
}

function declaredPipeline(path: string, pipeline: Pipeline): string[] {
  const { triggerMode, refName, refType, autoClearCache = false, actions } = pipeline;
  return [
    fact("pipeline", path, triggerMode, refName, refType, autoClearCache),
    fact("actions", path, ...actions.map(({ name, type }) => `${name} ${type}`)),
    ...actions.map((action) =>
      fact("action", path, action.name, action.triggerTime, action["destination"] ?? action["host"]),
    ),
    ...declaredVariables(path, pipeline.variables),
    ...actions.flatMap((action) => declaredVariables(`${path}/${action.name}`, action.variables ?? {})),
  ];
}

function declaredVariables(scope: string, variables: Variables): string[] {
  return Object.entries(variables).map(([key, { value, encrypted, description }]) =>
    fact("variable", scope, key, encrypted ? "(encrypted)" : value, encrypted === true, description ?? null),
  );
}

async function liveFacts(emulator: Emulator, workspace: string): Promise<string[]> {
  return readPlainly(emulator, () => new Reader(emulator, workspace).facts());
}

class Reader {
  private readonly found: string[] = [];

  constructor(
    private readonly emulator: Emulator,
    private readonly workspace: string,
  ) {}

  async facts(): Promise<string[]> {
    for (const { id, email } of await this.all("members")) {
      const { admin, workspace_owner: owner } = await this.get(`members/${String(id)}`);
      if (owner !== true) this.found.push(fact("member", email, admin));
    }
    for (const set of await this.all("permissions", "permission_sets")) {
      if (set["type"] !== "CUSTOM") continue;
      this.found.push(
        fact(
          "set",
          set["name"],
          set["description"],
          set["repository_access_level"],
          set["pipeline_access_level"],
        ),
      );
    }
    for (const { id, name, description } of await this.all("groups")) {
      this.found.push(fact("group", name, description));
      for (const { email } of await this.all(`groups/${String(id)}/members`, "members"))
        this.found.push(fact("group member", name, email));
    }
    await this.variables("workspace", "");
    for (const { name } of await this.all("projects")) await this.project(String(name));
    return this.found;
  }

  private async project(name: string): Promise<void> {
    const { display_name: display } = await this.get(`projects/${name}`);
    this.found.push(fact("project", name, display));
    for (const { id, email } of await this.all(`projects/${name}/members`, "members")) {
      if (email === "owner@example.com") continue;
      const member = await this.get(`projects/${name}/members/${String(id)}`);
      this.found.push(fact("project member", name, email, (member["permission_set"] as Json)["name"]));
    }
    await this.variables(name, `&projectName=${name}`);
    for (const { id } of await this.all(`projects/${name}/pipelines`, "pipelines"))
      await this.pipeline(name, String(id));
  }

  private async pipeline(project: string, id: string): Promise<void> {
    const pipeline = await this.get(`projects/${project}/pipelines/${id}`);
    const path = `${project}/${String(pipeline["name"])}`;
    const { trigger_mode: mode, ref_name: name, ref_type: type, auto_clear_cache: clear } = pipeline;
    const actions = pipeline["actions"] as Json[];
    this.found.push(
      fact("pipeline", path, mode, name, type, clear),
      fact(
        "actions",
        path,
        ...actions.map((action) => `${String(action["name"])} ${String(action["type"])}`),
      ),
    );
    await this.variables(path, `&pipelineId=${id}`);
    for (const action of actions) {
      // An embedded action may be a summary.
      const whole = await this.get(`projects/${project}/pipelines/${id}/actions/${String(action["id"])}`);
      const place = whole["destination"] ?? whole["host"];
      this.found.push(fact("action", path, action["name"], action["trigger_time"], place));
      await this.variables(`${path}/${String(action["name"])}`, `&actionId=${String(action["id"])}`);
    }
  }

  private async variables(scope: string, query: string): Promise<void> {
    for (const { key, value, encrypted, description } of await this.all("variables", "variables", query))
      this.found.push(
        fact("variable", scope, key, encrypted ? "(encrypted)" : value, encrypted, description),
      );
  }

  private async all(path: string, array = path, query = ""): Promise<Json[]> {
    const items: Json[] = [];
    for (let page = 1; ; page++) {
      const body = await this.get(`${path}?per_page=100&page=${page}${query}`);
      const found = (body[array] ?? Object.values(body).find(Array.isArray)) as Json[];
      items.push(...found);
      if (found.length < 100) return items;
    }
  }

  private async get(path: string): Promise<Json> {
    const full = `/workspaces/${this.workspace}/${path}`;
    const { status, body } = await this.emulator.edit({ method: "GET", path: full });
    if (status !== 200) throw new Error(`${full} was answered ${status}: ${JSON.stringify(body)}`);
    return body as Json;
  }
}

function fact(...parts: readonly unknown[]): string {
  return parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part ?? null))).join(" | ");
}
