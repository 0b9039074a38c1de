/** Schema of seeds. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { grantTypes, projectStatuses, scopes } from "./enums.js";
import { SeedError } from "./errors.js";

/** Schema of a seed, the initial data. Field names are the spec's, and lists keep their order. */

const text = z.string().min(1);
const email = z.string().regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address");
const domain = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must be letters, digits, '.', '_' and '-'");
/** Request body of the API, checked by the rules of its endpoint. */
const body = z.record(z.string(), z.unknown());
const defineList = <T extends z.ZodType>(item: T) => z.array(item).default([]);

const token = z.strictObject({
  /** Default: random. */
  token: text.optional(),
  /** Default: all. */
  scopes: z.array(z.enum(scopes)).optional(),
  /** Default: never. */
  expires_in: z.number().int().positive().optional(),
});

const user = z.strictObject({
  email,
  name: text.optional(),
  title: text.optional(),
  emails: defineList(z.strictObject({ email, confirmed: z.boolean().default(true) })),
  keys: defineList(z.strictObject({ title: text.optional(), content: text })),
  integrations: defineList(z.strictObject({ name: text, type: text, identifier: text.optional() })),
  tokens: defineList(token),
});

const outcome = z.strictObject({
  status: z.enum(["SUCCESSFUL", "FAILED"]),
  /** Name of the action that fails. Default: the first one that runs. */
  action: text.optional(),
});

const variable = body;

const pipeline = z.looseObject({
  name: text,
  /** Bodies of POST .../actions, each with optional `action_variables`. */
  actions: defineList(z.looseObject({ name: text, action_variables: defineList(variable) })),
  /** Hidden from everyone but administrators. */
  hidden: z.boolean().default(false),
  /** Outcomes of the next runs. */
  outcomes: defineList(outcome),
  pipeline_variables: defineList(variable),
});

const project = z.looseObject({
  status: z.enum(projectStatuses).default("ACTIVE"),
  /** Name of an integration of the workspace's owner, instead of its id. */
  integration_name: text.optional(),
  members: defineList(z.strictObject({ email, permission_set: text })),
  variables: defineList(variable),
  pipelines: defineList(pipeline),
  /** Files of a first commit on the default branch: text by path. */
  files: z.record(text, z.string()).default({}),
  /**
   * Further commits, in order. The first one of a branch starts from the revision in `branches`. Null deletes a file.
   */
  commits: defineList(
    z.strictObject({
      message: text,
      branch: text.optional(),
      files: z.record(text, z.string().nullable()),
    }),
  ),
  /** Branches besides the default one, and tags: revision by name. */
  branches: z.record(text, text).default({}),
  tags: z.record(text, text).default({}),
  pull_requests: defineList(
    z.strictObject({ number: z.number().int().positive(), name: text, git_host_html_url: text.optional() }),
  ),
});

const workspace = z.strictObject({
  domain,
  name: text.optional(),
  /** E-mail address of a user above. Default: the first user. */
  owner: email.optional(),
  api_enabled: z.boolean().default(true),
  frozen: z.boolean().default(false),
  /** Whether only administrators may create projects, or invite members. */
  projects_by_admins_only: z.boolean().default(false),
  members_by_admins_only: z.boolean().default(false),
  members: defineList(z.strictObject({ email, admin: z.boolean().default(false) })),
  groups: defineList(
    z.strictObject({ name: text, description: text.optional(), members: defineList(email) }),
  ),
  /** Bodies of POST .../permissions. */
  permission_sets: defineList(body),
  variables: defineList(variable),
  projects: defineList(project),
  sandboxes: defineList(
    z.looseObject({ id: text, identifier: text, name: text.optional(), project: text.optional() }),
  ),
});

const oauthClient = z.strictObject({
  client_id: text,
  client_secret: text,
  /** E-mail address of the user that client_credentials act for. Default: the first user. */
  owner: email.optional(),
  client_name: text.default("client"),
  redirect_uris: defineList(text),
  grant_types: z.array(z.enum(grantTypes)).default([...grantTypes]),
  token_expires_in: z.number().int().positive().default(3600),
});

const seedSchema = z.strictObject({
  /** The first one is the principal, whose token the emulator reports. */
  users: z.array(user).min(1),
  workspaces: z.array(workspace).min(1),
  oauth_clients: defineList(oauthClient),
});

/** Seed as written by users. */
export type Seed = z.input<typeof seedSchema>;
/** Seed with all defaults. */
export type FullSeed = z.output<typeof seedSchema>;
export type SeedProject = z.output<typeof project>;

/** Checks a seed and adds the defaults. @throws SeedError with every invalid value and its path. */
export function checkSeed(seed: unknown, source = "seed"): FullSeed {
  const result = seedSchema.safeParse(seed);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `${issue.path.length === 0 ? "(top)" : formatPathText(issue.path)}: ${issue.message}`,
  );
  throw new SeedError(`${source} is not a valid seed:`, "Correct these values.", problems);
}

function formatPathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

/** Reads a seed from a YAML or JSON file. @throws SeedError */
export async function readSeed(path: string): Promise<FullSeed> {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    throw new SeedError(`Cannot read the seed ${path}: ${(error as Error).message}`, "Choose another file.");
  }
  // Loaded on demand because a start without a seed file does not need it.
  const { parse } = await import("yaml");
  let value: unknown;
  try {
    value = parse(content, { maxAliasCount: 100 });
  } catch (error) {
    throw new SeedError(`${path} is neither YAML nor JSON: ${(error as Error).message}`, "Correct the file.");
  }
  return checkSeed(value, path);
}
