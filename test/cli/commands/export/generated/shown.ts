/**
 * Reads everything that the service shows of a workspace, independently of client and provider, as the reference for
 * exports.
 */
import type { Emulator } from "../../../../../emulator/index.js";
import { readPlainly } from "../../../../services/chosen-service.js";

type Fields = Readonly<Record<string, unknown>>;

export interface ShownObject {
  readonly type: string;
  /** The names on the path from the workspace to the object. */
  readonly names: readonly string[];
  /** The id in Pulumi's state. */
  readonly id: string;
  /** The properties without numbers, addresses and times, which differ between workspaces. */
  readonly says: Fields;
  /** The position among its siblings if they are ordered. */
  readonly place?: number;
}

/** Properties that belong to a particular workspace, not to its declared contents. */
const facts = [
  ...[
    "url",
    "html_url",
    "id",
    "avatar_url",
    "create_date",
    "created_by",
    "creator",
    "project",
    "pipeline",
    "actions",
  ],
  ...[
    "status",
    "last_execution_status",
    "last_execution_revision",
    "size",
    "http_repository",
    "ssh_repository",
  ],
];

export async function shownIn(emulator: Emulator): Promise<ShownObject[]> {
  return readPlainly(emulator, () => new Reader(emulator).workspace());
}

class Reader {
  private readonly found: ShownObject[] = [];
  private readonly at: string;

  constructor(private readonly emulator: Emulator) {
    this.at = `/workspaces/${emulator.workspace}`;
  }

  async workspace(): Promise<ShownObject[]> {
    const { at } = this;
    for (const member of await this.list(`${at}/members`, "members")) {
      const whole = await this.get(`${at}/members/${String(member["id"])}`);
      this.add("WorkspaceMember", [String(member["email"])], [member["id"]], { ...member, ...whole });
    }
    for (const set of await this.list(`${at}/permissions`, "permission_sets"))
      this.add("PermissionSet", [String(set["name"])], [set["id"]], set);
    for (const group of await this.list(`${at}/groups`, "groups")) {
      const whole = await this.get(`${at}/groups/${String(group["id"])}`);
      this.add("Group", [String(group["name"])], [group["id"]], { ...group, ...whole });
      for (const person of await this.list(`${at}/groups/${String(group["id"])}/members`, "members"))
        this.add(
          "GroupMember",
          [String(group["name"]), String(person["email"])],
          [group["id"], person["id"]],
          {},
        );
    }
    await this.variables("", []);
    for (const project of await this.list(`${at}/projects`, "projects"))
      await this.project(String(project["name"]));
    return this.found;
  }

  private async project(name: string): Promise<void> {
    const here = `${this.at}/projects/${encodeURIComponent(name)}`;
    if (name === "." || name === "..") return this.add("Project", [name], [name], {});
    this.add("Project", [name], [name], await this.get(here));
    for (const person of await this.list(`${here}/members`, "members")) {
      const whole = await this.get(`${here}/members/${String(person["id"])}`);
      const set = whole["permission_set"] as Fields;
      this.add("ProjectMember", [name, String(person["email"])], [name, person["id"]], { set: set["name"] });
    }
    await this.variables(`projectName=${encodeURIComponent(name)}`, [name]);
    for (const branch of await this.list(`${here}/repository/branches`, "branches"))
      this.add("Branch", [name, String(branch["name"])], [name, branch["name"]], branch);
    for (const { id, name: pipeline } of await this.list(`${here}/pipelines`, "pipelines")) {
      const whole = await this.get(`${here}/pipelines/${String(id)}`);
      const names = [name, String(pipeline)];
      this.add("Pipeline", names, [name, id], whole);
      await this.variables(`pipelineId=${String(id)}`, names);
      for (const [place, action] of (whole["actions"] as Fields[]).entries()) {
        this.add("Action", [...names, String(action["name"])], [id, action["id"]], action, place);
        await this.variables(`actionId=${String(action["id"])}`, [...names, String(action["name"])]);
      }
    }
  }

  private async variables(query: string, owner: readonly string[]): Promise<void> {
    for (const variable of await this.list(`${this.at}/variables?${query}`, "variables"))
      this.add("Variable", [...owner, String(variable["key"])], [variable["id"]], variable);
  }

  private add(
    type: string,
    names: readonly string[],
    ids: readonly unknown[],
    all: Fields,
    place?: number,
  ): void {
    // Actions have no project of their own, but those of other types may have a field of this name.
    const isFact = (name: string) => facts.includes(name) && !(type === "Action" && name === "project");
    const says = Object.fromEntries(Object.entries(all).filter(([name]) => !isFact(name)));
    const integration = says["integration"] as Fields | null | undefined;
    // Integrations are identified by name, since their numbers differ between workspaces.
    if (typeof integration?.["name"] === "string") says["integration"] = { name: integration["name"] };
    const id = [this.emulator.workspace, ...ids.map((part) => encodeURIComponent(String(part)))].join("/");
    this.found.push({ type, names, id, says, ...(place === undefined ? {} : { place }) });
  }

  private async get(path: string): Promise<Fields> {
    const { status, body } = await this.emulator.edit({ method: "GET", path });
    if (status !== 200) throw new Error(`GET ${path} is answered ${status}: ${JSON.stringify(body)}`);
    return body as Fields;
  }

  private async list(path: string, name: string): Promise<Fields[]> {
    const all: Fields[] = [];
    for (let page = 1; ; page += 1) {
      const joint = path.includes("?") ? "&" : "?";
      // Services differ in the page sizes that they allow.
      const body = await this.get(`${path}${joint}page=${page}`);
      const items = body[name] as Fields[];
      // Some lists are not paginated.
      const news = items.filter(({ id }) => id === undefined || !all.some((one) => one["id"] === id));
      all.push(...news);
      if (news.length === 0) return all;
    }
  }
}
