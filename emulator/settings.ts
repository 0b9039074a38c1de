/** Declares what the emulator can do in more than one way, because the specification leaves it open. */
import { z } from "zod";

/** Setting of an emulator. */
export interface SettingDeclaration<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly standard: z.output<S>;
  /** Values that a random service may have instead. */
  readonly others: readonly z.output<S>[];
  /** One sentence for docs/emulator.md. */
  readonly meaning: string;
}

function define<const S extends z.ZodType>(
  schema: S,
  standard: z.output<S>,
  others: readonly z.output<S>[],
  meaning: string,
): SettingDeclaration<S> {
  return { schema, standard, others, meaning };
}

const whole = z.number().int().min(0);
const flag = (standard: boolean, meaning: string) => define(z.boolean(), standard, [!standard], meaning);
const choose = <const T extends string>(standard: T, others: readonly T[], meaning: string) =>
  define(z.enum([standard, ...others]), standard, others, meaning);
const status = <const T extends number>(standard: T, other: T, meaning: string) =>
  define(z.literal([standard, other]), standard, [other], meaning);

const extent = z.enum(["full", "summary"]);

/** Settings that a probe of a service measures. */
export const measuredSettings = {
  maxPerPage: define(z.number().int().positive(), 100, [7, 10, 20, 50], "Largest page"),
  largePages: define(
    z.enum(["reduced", "refused"]),
    "reduced",
    ["refused"],
    "What a larger `per_page` does: it is reduced to the largest page, or refused (400)",
  ),
  missingStatus: define(
    z.union([z.literal(404), z.literal(400), z.literal(403)]),
    404,
    [400, 403],
    "Status of the response when an object does not exist",
  ),
  singleActionPaths: flag(true, "Whether `.../actions/:action_id` exists. Off: 400 `Invalid url`"),
  embeddedActions: define(
    extent,
    "full",
    ["summary"],
    "Whether the embedded actions of a pipeline contain all fields, or the common ones only",
  ),
  listedActions: define(
    extent,
    "full",
    ["summary"],
    "The same for the list of actions. Default: as `embeddedActions`",
  ),
  embeddedActionStatusField: define(
    z.enum(["status", "last_execution_status"]),
    "last_execution_status",
    ["status"],
    "Name of the status of embedded actions; the spec shows both",
  ),
  movableActions: flag(true, "Whether `after_action_id` in a PATCH moves an action. Off: it is ignored"),
  echoMemberEmail: flag(false, "Whether responses about members contain `email`"),
  encryptedValues: define(
    z.enum(["stable", "changing"]),
    "stable",
    ["changing"],
    "Whether the masked form of an encrypted value stays the same, or changes with each response",
  ),
  clearedBy: define(
    z.enum(["null", "empty"]),
    "null",
    ["empty"],
    "What clears a text in a PATCH. With `empty`, null changes nothing",
  ),
  strictBodies: flag(false, "Whether an unknown field in a request body is refused (400)"),
  showSchedule: flag(false, "Whether a pipeline is returned with its schedule"),
  cronUpdates: flag(true, "Whether a PATCH accepts another `cron`. Off: it is an unknown field"),
};

/** Further settings of a service, which no probe measures. */
export const furtherSettings = {
  undocumentedPages: choose(
    "requested",
    ["always", "ignored"],
    "Pages of lists for which the spec documents none: only when requested, always, or never",
  ),
  listOrder: choose(
    "oldest",
    ["newest", "changing"],
    "Order of a list that is not sorted: oldest first, newest first, or another one each time it is read from the beginning. Actions, executions, commits and files keep theirs",
  ),
  pageShift: choose(
    "none",
    ["skip", "repeat"],
    "Each second time a list is read, one item after the first page is on no page (as after a deletion by somebody else), or on two",
  ),
  lagRequests: define(
    whole,
    0,
    [1, 3, 8],
    "Number of GET requests that do not see a write yet: a new object is 404 and in no list. Repository contents never lag",
  ),
  lagMs: define(whole, 0, [], "The same in milliseconds after a write. With both, both must have passed"),
  deniedStatus: status(403, 404, "Status of a refusal for lack of a right. With 404, as if it did not exist"),
  unauthorizedStatus: status(401, 403, "Status of the response to an unknown or expired token"),
  pipelineVisibility: choose(
    "everyone",
    ["creator"],
    "Who sees a pipeline: every member of the project, or its creator and administrators",
  ),
  hiddenPipelineStatus: status(404, 403, "Status of the response about a pipeline hidden from the caller"),
  emailCase: choose("kept", ["lower"], "Whether the e-mail address of a new user is stored in lower case"),
  unicodeForm: choose(
    "kept",
    ["NFC", "NFD"],
    "Unicode form in which names, keys, titles and descriptions are stored",
  ),
  blanks: choose(
    "kept",
    ["trimmed"],
    "Whether names, keys, titles and descriptions lose the blanks around them",
  ),
  uniqueNames: define(
    z.array(z.enum(["groups", "permission_sets", "pipelines", "actions", "variables"])),
    [],
    [["groups"], ["permission_sets"], ["pipelines", "actions"], ["variables"]],
    "Types of which no two objects of one parent may have the same name",
  ),
  conflictStatus: status(409, 400, "Status of the response to a duplicate and to a refused deletion"),
  keptWhileUsed: define(
    z.array(z.enum(["permission_sets", "groups", "members"])),
    ["permission_sets"],
    [[], ["permission_sets", "groups"], ["permission_sets", "groups", "members"]],
    "Types of objects that cannot be deleted while used: permission sets of project members (otherwise these become read-only), groups with members, members of groups and projects",
  ),
  newActionPosition: choose("last", ["first"], "Position of a new action without `after_action_id`"),
  unnamedMembers: choose(
    "null",
    ["omitted"],
    "The `name` of a member who has none yet; the spec says that it is not returned, and that nothing is omitted",
  ),
  fractionalSeconds: flag(false, "Whether dates have fractional seconds"),
  projectCreators: choose(
    "non-admins",
    ["everyone"],
    "Whose new projects they become members of, with the permission set DEVELOPER",
  ),
  defaultBranch: choose("main", ["master"], "Name of the default branch of a new project"),
  sshKeyValues: choose("shown", ["masked"], "Whether the value of a variable that is an SSH key is returned"),
};

/** Settings of the emulator itself, which are not part of a profile. */
export const ownSettings = {
  latencyMs: define(z.number().min(0), 0, [], "Delay before each response, in milliseconds"),
  actionSeconds: define(
    z.number().min(0),
    1,
    [],
    "Duration of each action of an execution, in seconds of the emulator's time",
  ),
};

/** Settings that describe a service. */
export const serviceSettings = { ...measuredSettings, ...furtherSettings };

const declared = { ...ownSettings, ...serviceSettings };

type Declared = typeof declared;

/** Settings for what the specification leaves open. They can be changed while the emulator runs. */
export type Settings = { -readonly [K in keyof Declared]: z.output<Declared[K]["schema"]> };

type Schemas<D> = { [K in keyof D]: D[K] extends SettingDeclaration<infer S> ? S : never };

/** Returns the schema of an object with these settings, all of which may be absent. */
export function createSchema<D extends Record<string, SettingDeclaration>>(settings: D) {
  const entries = Object.entries(settings).map(([name, { schema, meaning }]) => [
    name,
    schema.describe(meaning),
  ]);
  return z.strictObject(Object.fromEntries(entries) as unknown as Schemas<D>).partial();
}

export const settingsSchema = createSchema(declared);

export const defaultSettings = Object.fromEntries(
  Object.entries(declared).map(([name, { standard }]) => [name, standard]),
) as unknown as Settings;
