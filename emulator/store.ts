import { randomBytes } from "node:crypto";
import { Disk } from "./disk.js";
import type * as model from "./model.js";
import { Table, type Change } from "./table.js";
import { Encryption } from "./encryption.js";

/**
 * Data of the emulated service. Reads are synchronous and from memory. A request changes rows and awaits `commit`
 * before it responds.
 */
export class Store {
  readonly users: Table<model.UserRow>;
  readonly tokens: Table<model.TokenRow>;
  readonly clients: Table<model.ClientRow>;
  readonly keys: Table<model.KeyRow>;
  readonly integrations: Table<model.IntegrationRow>;
  readonly workspaces: Table<model.WorkspaceRow>;
  readonly memberships: Table<model.MembershipRow>;
  readonly groups: Table<model.GroupRow>;
  readonly permissionSets: Table<model.PermissionSetRow>;
  readonly projects: Table<model.ProjectRow>;
  readonly projectMembers: Table<model.ProjectMemberRow>;
  readonly pulls: Table<model.PullRow>;
  readonly pipelines: Table<model.PipelineRow>;
  readonly actions: Table<model.ActionRow>;
  readonly variables: Table<model.VariableRow>;
  readonly executions: Table<model.ExecutionRow>;
  readonly sandboxes: Table<model.SandboxRow>;
  readonly meta: Table<model.MetaRow>;

  private lastId = 0;
  private readonly tables = new Map<string, Table<model.Row>>();

  private constructor(
    private readonly disk: Disk | undefined,
    readonly encryption: Encryption,
  ) {
    this.users = this.table("users", () => 0);
    this.tokens = this.table("tokens", (row) => row.userId);
    this.clients = this.table(
      "clients",
      () => 0,
      (row) => row.client_id,
    );
    this.keys = this.table("keys", (row) => row.userId);
    this.integrations = this.table("integrations", (row) => row.userId);
    this.workspaces = this.table(
      "workspaces",
      () => 0,
      (row) => row.domain,
    );
    this.memberships = this.table(
      "memberships",
      (row) => row.workspaceId,
      (row) => row.userId,
    );
    this.groups = this.table("groups", (row) => row.workspaceId);
    this.permissionSets = this.table("permissionSets", (row) => row.workspaceId);
    this.projects = this.table(
      "projects",
      (row) => row.workspaceId,
      (row) => row.name,
    );
    this.projectMembers = this.table(
      "projectMembers",
      (row) => row.projectId,
      (row) => row.userId,
    );
    this.pulls = this.table("pulls", (row) => row.projectId);
    this.pipelines = this.table("pipelines", (row) => row.projectId);
    this.actions = this.table("actions", (row) => row.pipelineId);
    this.variables = this.table("variables", (row) => row.workspaceId);
    this.executions = this.table("executions", (row) => row.pipelineId);
    this.sandboxes = this.table("sandboxes", (row) => row.workspaceId);
    this.meta = this.table("meta", () => 0);
  }

  /** @param directory Data directory; without one the data are in memory only. */
  static async open(directory?: string): Promise<Store> {
    if (directory === undefined) return new Store(undefined, new Encryption(randomBytes(32)));
    const disk = await Disk.open(directory);
    const store = new Store(disk, new Encryption(disk.encryptionKey));
    store.lastId = await disk.load((name, row) => store.tables.get(name)?.load(row));
    return store;
  }

  get isEmpty(): boolean {
    return this.meta.size === 0;
  }

  /** Returns a new id. All tables share the sequence, so that an id of the wrong type is noticed. */
  newId(): number {
    return ++this.lastId;
  }

  /** Resolves when all changes so far would survive the death of the process. */
  async commit(): Promise<void> {
    await this.disk?.write(() => this.lastId);
  }

  /** Deletes all rows. Ids continue. */
  clear(): void {
    for (const table of this.tables.values()) table.clear();
  }

  async close(): Promise<void> {
    await this.commit();
    await this.disk?.close();
  }

  private table<T extends model.Row>(
    name: string,
    parentOf: (row: T) => number,
    keyOf?: (row: T) => string | number,
  ): Table<T> {
    const note = (change: Change): void => this.disk?.record(change);
    const table = new Table<T>(name, parentOf, note, keyOf);
    this.tables.set(name, table as unknown as Table<model.Row>);
    return table;
  }
}
