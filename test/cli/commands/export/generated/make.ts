/** Creates a generated workspace in an emulator with plain requests to the service. */
import type { Emulator } from "../../../../../emulator/index.js";
import type { Body } from "./actions.js";
import type { RawPipeline, RawProject, RawWorkspace } from "./workspace.js";

/** Existing users and integrations of the calling user, two of which share a name. */
export const seed = {
  users: [
    {
      email: "owner@example.com",
      name: "Olga Owner",
      integrations: [
        { name: "chat-main", type: "CHAT" },
        { name: "git-host", type: "GIT_HOST" },
        { name: "platform-cli", type: "PLATFORM" },
        { name: "agent-main", type: "AGENT" },
        { name: "yes", type: "CHAT" },
        { name: "twin", type: "CHAT" },
        { name: "twin", type: "CHAT" },
      ],
      tokens: [{}],
    },
    { email: "named@example.com", name: "Ann: Other #1" },
    { email: "same@example.com", name: "Ann: Other #1" },
  ],
  workspaces: [{ domain: "acme", name: "Acme" }],
};

interface Made {
  /** Number of created objects. */
  readonly count: number;
  /** Number of rejected requests, because of names in use or invalid values. */
  readonly refused: number;
}

export async function make(emulator: Emulator, raw: RawWorkspace): Promise<Made> {
  const maker = new Maker(emulator);
  await maker.workspace(raw);
  return maker;
}

type Id = number;
interface Answer {
  readonly id: Id;
  readonly name: string;
}

class Maker implements Made {
  count = 0;
  refused = 0;
  private integrations = new Map<string, Id>();

  constructor(private readonly emulator: Emulator) {}

  async workspace({ members, permissionSets, groups, variables, projects }: RawWorkspace): Promise<void> {
    const at = `/workspaces/${this.emulator.workspace}`;
    const listed = await this.emulator.edit({ method: "GET", path: "/user/integrations" });
    for (const { name, id } of (listed.body as { integrations: Answer[] }).integrations)
      this.integrations.set(name, id);
    const people: Id[] = [await this.owner()];
    for (const { email, admin } of members) {
      const made = await this.post(`${at}/members`, { email });
      if (made === undefined) continue;
      people.push(made.id);
      if (admin)
        await this.emulator.edit({ method: "PATCH", path: `${at}/members/${made.id}`, body: { admin } });
    }
    const sets = await this.sets();
    for (const body of permissionSets) {
      const made = await this.post(`${at}/permissions`, body);
      if (made !== undefined) sets.push(made.id);
    }
    for (const { body, members: picks } of groups) {
      const made = await this.post(`${at}/groups`, body);
      for (const id of new Set(picks.map((pick) => people[pick % people.length])))
        if (made !== undefined) await this.post(`${at}/groups/${made.id}/members`, { id });
    }
    await this.variables(variables, {});
    for (const project of projects) await this.project(at, project, people, sets);
  }

  private async project(
    at: string,
    raw: RawProject,
    people: readonly Id[],
    sets: readonly Id[],
  ): Promise<void> {
    const made = await this.post(`${at}/projects`, raw.body);
    // No path can address these two names.
    if (made === undefined || made.name === "." || made.name === "..") return;
    const here = `${at}/projects/${encodeURIComponent(made.name)}`;
    const rights = new Map(
      raw.members.map(({ member, set }) => [people[member % people.length], sets[set % sets.length]]),
    );
    for (const [id, set] of rights) await this.post(`${here}/members`, { id, permission_set: { id: set } });
    await this.variables(raw.variables, { project: { name: made.name } });
    if (raw.branches.length > 0)
      await this.post(`${here}/repository/contents`, {
        content: "YQ==",
        message: "Begin",
        path: "README.md",
      });
    for (const branch of raw.branches) await this.post(`${here}/repository/branches`, branch);
    for (const pipeline of raw.pipelines) await this.pipeline(here, pipeline);
  }

  private async pipeline(at: string, { body, variables, actions }: RawPipeline): Promise<void> {
    const made = await this.post(`${at}/pipelines`, body);
    if (made === undefined) return;
    await this.variables(variables, { pipeline: { id: made.id } });
    for (const action of actions) {
      const step = await this.post(`${at}/pipelines/${made.id}/actions`, action.body);
      if (step !== undefined) await this.variables(action.variables, { action: { id: step.id } });
    }
  }

  private async variables(bodies: readonly Body[], owner: Body): Promise<void> {
    for (const body of bodies)
      await this.post(`/workspaces/${this.emulator.workspace}/variables`, { ...body, ...owner });
  }

  private async post(path: string, body: Body): Promise<Answer | undefined> {
    const { status, body: answer } = await this.emulator.edit({
      method: "POST",
      path,
      body: this.withIds(body),
    });
    if (status >= 500)
      throw new Error(`the emulator answers ${status} to POST ${path}: ${JSON.stringify(body)}`);
    if (status >= 400) this.refused += 1;
    else this.count += 1;
    return status >= 400 ? undefined : (answer as Answer);
  }

  /** Replaces the name of an integration by its number, which differs between workspaces. */
  private withIds(body: Body): Body {
    const named = (body["integration"] as { $integration?: string } | null | undefined)?.$integration;
    return named === undefined ? body : { ...body, integration: { id: this.integrations.get(named) } };
  }

  private async owner(): Promise<Id> {
    const { body } = await this.emulator.edit({ method: "GET", path: "/user" });
    return (body as Answer).id;
  }

  private async sets(): Promise<Id[]> {
    const path = `/workspaces/${this.emulator.workspace}/permissions`;
    const { body } = await this.emulator.edit({ method: "GET", path });
    return (body as { permission_sets: Answer[] }).permission_sets.map(({ id }) => id);
  }
}
