/** Fills an empty store with a seed. */
import type { ProjectLocation, WorkspaceLocation } from "./context.js";
import { scopes } from "./enums.js";
import { SeedError } from "./errors.js";
import { checkBody } from "./fields.js";
import type * as model from "./model.js";
import { createClient, findClient } from "./oauth.js";
import { createAction } from "./operations/actions.js";
import {
  addGroupMember,
  addMember,
  createPermissionSet,
  createUser,
  createWorkspace,
  findUser,
  permissionSetBody,
} from "./operations/people.js";
import { createPipeline, pipelineBody } from "./operations/pipelines.js";
import { addProjectMember, createProject, projectBody } from "./operations/projects.js";
import { createVariable, variableBody, type VariableScope } from "./operations/variables.js";
import type { FullSeed, SeedProject } from "./seed-schema.js";
import type { Service } from "./service.js";

type SeedWorkspace = FullSeed["workspaces"][number];
type SeedPipeline = SeedProject["pipelines"][number];

const noScope: VariableScope = { projectId: null, pipelineId: null, actionId: null };

/** Fills an empty store. A seed must satisfy the rules of the endpoints. */
export function applySeed(service: Service, seed: FullSeed): void {
  const seeder = new Seeder(service);
  seeder.each("users", seed.users, (user) => seeder.user(user));
  const principal = findUser(service, seed.users[0]?.email ?? "");
  if (principal === undefined) throw new SeedError("The seed has no user.", "Add one under `users`.");
  seeder.each("workspaces", seed.workspaces, (workspace) => seeder.workspace(workspace, principal));
  seeder.each("oauth_clients", seed.oauth_clients, (client) => seeder.client(client, principal));
  seeder.principalToken(principal);
}

class Seeder {
  private readonly path: string[] = [];

  constructor(private readonly service: Service) {}

  /** Works on each value of a list, and adds the path of the value to an error. */
  each<T>(list: string, values: readonly T[], work: (value: T) => void): void {
    for (const [index, value] of values.entries()) {
      this.path.push(`${list}[${index}]`);
      try {
        work(value);
      } catch (error) {
        if (error instanceof SeedError) throw error;
        throw new SeedError(
          `The seed cannot be applied: ${this.path.join(".")}: ${(error as Error).message}`,
          "Correct this value.",
        );
      }
      this.path.pop();
    }
  }

  user(seed: FullSeed["users"][number]): void {
    const { store, tokens } = this.service;
    if (findUser(this.service, seed.email) !== undefined) throw new Error(`${seed.email} appears twice`);
    const user = createUser(this.service, seed.email, seed.name ?? null);
    user.title = seed.title ?? null;
    user.emails = [{ email: seed.email, confirmed: true }, ...seed.emails];
    for (const { title, content } of seed.keys) {
      store.keys.insert({ userId: user.id, title: title ?? null, content });
    }
    for (const { name, type, identifier } of seed.integrations) {
      store.integrations.insert({ userId: user.id, name, type, identifier: identifier ?? name });
    }
    for (const token of seed.tokens) {
      tokens.create({
        user,
        kind: "personal",
        scopes: token.scopes ?? scopes,
        token: token.token,
        expiresInSeconds: token.expires_in,
        remember: true,
      });
    }
  }

  /** Determines the reported token, which is the principal's first personal one. Creates it when the seed has none. */
  principalToken(user: model.UserRow): void {
    const { store, tokens } = this.service;
    const row =
      store.tokens.find(user.id, (each) => each.kind === "personal") ??
      tokens.create({ user, kind: "personal", scopes, remember: true }).row;
    const workspace = store.workspaces.of(0)[0];
    if (workspace === undefined)
      throw new SeedError("The seed has no workspace.", "Add one under `workspaces`.");
    store.meta.insert({ principalTokenId: row.id, workspaceId: workspace.id });
  }

  workspace(seed: SeedWorkspace, principal: model.UserRow): void {
    const { service } = this;
    const owner = seed.owner === undefined ? principal : this.existingUser(seed.owner);
    const workspace = createWorkspace(service, owner, {
      domain: seed.domain,
      name: seed.name ?? seed.domain,
      apiEnabled: seed.api_enabled,
      frozen: seed.frozen,
      projectsByAdminsOnly: seed.projects_by_admins_only,
      membersByAdminsOnly: seed.members_by_admins_only,
    });
    const location = { service, workspace };
    for (const member of seed.members) {
      const user = findUser(service, member.email) ?? createUser(service, member.email);
      // The seed may list the owner among the members.
      if (user.id !== owner.id) addMember(location, user, member.admin);
    }
    this.each("permission_sets", seed.permission_sets, (set) =>
      createPermissionSet(location, checkBody(permissionSetBody, set, true)),
    );
    for (const { name, description = null, members } of seed.groups) {
      const values = { workspaceId: workspace.id, name, description, memberIds: [] };
      const row = service.store.groups.insert(values);
      for (const email of members) addGroupMember(location, row, this.existingUser(email).id);
    }
    this.variables(location, "variables", noScope, seed.variables);
    this.each("projects", seed.projects, (project) => this.project(location, owner, project));
    this.each("sandboxes", seed.sandboxes, (sandbox) => this.sandbox(workspace, sandbox));
  }

  client(seed: FullSeed["oauth_clients"][number], principal: model.UserRow): void {
    const { client_id, client_secret, owner, ...values } = seed;
    const user = owner === undefined ? principal : this.existingUser(owner);
    if (findClient(this.service, client_id) !== undefined) throw new Error(`${client_id} appears twice`);
    const defaults = { response_types: ["code"], token_endpoint_auth_method: "client_secret_basic" };
    const fixed = { clientId: client_id, clientSecret: client_secret };
    const more = { client_uri: null, description: null, ...values };
    createClient(this.service, user.id, { ...defaults, ...more }, fixed);
  }

  private project(location: WorkspaceLocation, owner: model.UserRow, seed: SeedProject): void {
    const { service, workspace } = location;
    const { status, integration_name, members, variables, pipelines, ...more } = seed;
    const { files, commits, branches, tags, pull_requests, ...fields } = more;
    const { store } = service;
    if (integration_name !== undefined) {
      const found = store.integrations.find(owner.id, (row) => row.name === integration_name);
      if (found === undefined) throw new Error(`${owner.email} has no integration '${integration_name}'`);
      fields["integration"] = { id: found.id };
    }
    const project = createProject(location, owner, checkBody(projectBody, fields, true));
    project.status = status;
    store.projects.update(project);
    for (const { email, permission_set } of members) {
      const set = store.permissionSets.find(
        workspace.id,
        (row) => row.name === permission_set || (row.type !== "CUSTOM" && row.type === permission_set),
      );
      if (set === undefined) throw new Error(`there is no permission set '${permission_set}'`);
      addProjectMember(service, project, this.existingUser(email).id, set);
    }
    this.variables(location, "variables", { ...noScope, projectId: project.id }, variables);
    this.each("pipelines", pipelines, (pipeline) => this.pipeline({ ...location, project }, owner, pipeline));
    for (const { git_host_html_url = null, ...pull } of pull_requests) {
      store.pulls.insert({ projectId: project.id, ...pull, git_host_html_url });
    }
    const first = Object.keys(files).length === 0 ? [] : [{ message: "First commit", files }];
    service.seedFiles.push({ project, author: owner, commits: [...first, ...commits], branches, tags });
  }

  private pipeline(location: ProjectLocation, owner: model.UserRow, seed: SeedPipeline): void {
    const { service, project } = location;
    const { actions, hidden, outcomes, pipeline_variables, ...fields } = seed;
    const pipeline = createPipeline(location, owner, checkBody(pipelineBody, fields, true));
    Object.assign(pipeline, { hidden, outcomes });
    service.store.pipelines.update(pipeline);
    const scope = { projectId: project.id, pipelineId: pipeline.id, actionId: null };
    this.variables(location, "pipeline_variables", scope, pipeline_variables);
    this.each("actions", actions, ({ action_variables, ...body }) => {
      const { row } = createAction(service, pipeline, owner.id, body);
      this.variables(location, "action_variables", { ...scope, actionId: row.id }, action_variables);
    });
  }

  private variables(
    location: WorkspaceLocation,
    part: string,
    scope: VariableScope,
    seeds: readonly Record<string, unknown>[],
  ): void {
    this.each(part, seeds, (seed) => createVariable(location, scope, checkBody(variableBody, seed, true)));
  }

  private sandbox(workspace: model.WorkspaceRow, seed: SeedWorkspace["sandboxes"][number]): void {
    const { store, clock } = this.service;
    const { id, identifier, name, project, status, ...fields } = seed;
    const owner = project === undefined ? undefined : store.projects.byKey(workspace.id, project);
    if (project !== undefined && owner === undefined) throw new Error(`there is no project '${project}'`);
    store.sandboxes.insert({
      workspaceId: workspace.id,
      projectId: owner?.id ?? null,
      sandbox_id: id,
      identifier,
      name: name ?? identifier,
      status: (status ?? "RUNNING") as model.SandboxRow["status"],
      createdAt: clock.now(),
      fields,
    });
  }

  private existingUser(email: string): model.UserRow {
    const user = findUser(this.service, email);
    if (user === undefined) throw new Error(`there is no user ${email}`);
    return user;
  }
}
