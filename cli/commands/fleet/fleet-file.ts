/** `fleet.yaml`: several workspaces, each with its file, stack, connection and state. */
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { z } from "zod";
import { parseFile } from "../../../automation/config-files/checked-files.js";
import { AutomationError } from "../../../automation/errors.js";
import { text } from "../../../resources/definition/primitives.js";
import { createFolderAddress } from "../../../trust/backend.js";
import { findCheckoutRoot, isInside } from "../../../trust/checkout.js";
import { readTextIfPresent, refuseOutsideCheckout } from "../../../trust/checkout-files.js";
import { StateAddress } from "../../../trust/state-address.js";
import { refuseMapping } from "../../../trust/variables.js";
import {
  createDiagnostic,
  type Diagnostic,
  getPositionAt,
  type PropertyPath,
  type Tree,
} from "../../../workspace-file/index.js";
import { WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { isModule } from "../../../workspace-file/load/module.js";
import { findFilesFrom } from "./entry-files.js";
import { listWaveProblems, listWaves, type Wave, wavesSchema } from "./waves.js";

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable");

const entryFields = {
  file: text.optional().describe("The workspace file, or a folder of them. Default: workspace.yaml."),
  stack: text.optional().describe("The Pulumi stack. Default: the name of the entry."),
  connection: text
    .optional()
    .describe("The connection: which service to use, and as which user.")
    .meta({ examples: ["us"] }),
  overlays: z.array(text).optional().describe("Overlays of the workspace file, in order."),
  allowPaths: z.array(text).optional().describe("Folders from which placeholders and includes may read too."),
  backend: text
    .optional()
    .describe(
      "Where the state is stored: a folder inside the checkout, or the address that PULUMI_BACKEND_URL or the login names. Default: that address.",
    )
    .meta({ examples: ["./state", "s3://acme-state"] }),
  environment: z
    .record(variable, variable)
    .optional()
    .describe(
      "Environment variables of this workspace, each with the name of the variable that contains its value: WORKSPACE_VAR_ variables, " +
        "and settings of the connection and the state from variables whose names contain theirs.",
    )
    .meta({ examples: [{ WORKSPACE_VAR_DEPLOY_TOKEN: "WORKSPACE_VAR_EU_DEPLOY_TOKEN" }] }),
  owner: text
    .optional()
    .describe("Who is responsible, for reports: a team or a person.")
    .meta({ examples: ["team-web"] }),
  notify: z
    .string()
    .regex(
      /^[A-Za-z][\w-]*$/,
      "must be a name, whose address the caller gives in WORKSPACE_AUTOMATION_NOTIFY_NAME",
    )
    .optional()
    .describe(
      "Name of a webhook to which `fleet drift` posts the findings of this workspace. The caller gives the address of `team-web` in WORKSPACE_AUTOMATION_NOTIFY_TEAM_WEB.",
    )
    .meta({ examples: ["team-web"] }),
  revision: z
    .string()
    .regex(/^[0-9a-f]{40}$/, "must be the whole hash of a commit")
    .optional()
    .describe(
      "Commit whose files the workspace has, instead of those in the working tree. `fleet promote` sets it.",
    )
    .meta({ examples: ["0123456789abcdef0123456789abcdef01234567"] }),
  policy: text
    .optional()
    .describe("A policy for this workspace, in addition to all others: a file in the checkout of this one.")
    .meta({ examples: ["policies/web.yaml"] }),
};

const entrySchema = z.strictObject(entryFields);

export const fleetSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    defaults: entrySchema.optional().describe("Defaults of every entry."),
    workspaces: z
      .object({
        from: z
          .union([text, z.array(text)])
          .optional()
          .describe(
            "Patterns of workspace files. Each file is an entry with the name for which the wildcards stand, so a new file needs nothing else.",
          )
          .meta({ examples: ["teams/*.yaml"] }),
      })
      .catchall(entrySchema.nullable())
      .describe("The workspaces, by a name of your choice."),
    policy: text
      .optional()
      .describe(
        "A policy for all workspaces, in addition to those that the caller names: a file in the checkout of this one.",
      )
      .meta({ examples: ["policy.yaml"] }),
    waves: wavesSchema
      .optional()
      .describe(
        "Waves of `fleet up`, one after the other. Workspaces in no wave come last, as the wave `rest`.",
      ),
  })
  .meta({
    title: "Fleet",
    description: "Several workspaces for `workspacectl fleet`. Paths are relative to this file's folder.",
  });

/** One workspace, with defaults applied and absolute paths. */
export interface FleetEntry {
  readonly name: string;
  readonly file: string;
  readonly stack: string;
  readonly connection: string | undefined;
  readonly overlays: readonly string[];
  readonly allowPaths: readonly string[];
  readonly backend: StateAddress | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Commit of its files. */
  readonly revision?: string | undefined;
  /** Where the checkout is, and the folder with its files at that commit. */
  readonly pinned?: { readonly root: string; readonly folder: string } | undefined;
  readonly owner?: string | undefined;
  /** Name of the webhook for its findings. */
  readonly notify?: string | undefined;
  /** Path of the policy that the entry names. */
  readonly policy?: string | undefined;
}

export interface Fleet {
  readonly entries: readonly FleetEntry[];
  /** Empty in a file without waves. */
  readonly waves: readonly Wave[];
  /** Path of the policy that the file names. */
  readonly policy: string | undefined;
}

/** What somebody without a fleet file can begin with. */
const firstFleet = `  version: 1
  workspaces:
    us: { connection: us }
    eu: { connection: eu }`;

/**
 * Reads a fleet file.
 * @throws {WorkspaceFileError} with all its problems, {AutomationError} when it does not exist
 */
export function readFleet(file: string): Fleet {
  const text = readTextIfPresent(file, { named: true });
  if (text === undefined)
    throw new AutomationError(
      `there is no fleet file ${file}`,
      `choose another, or write one that names a connection for each workspace (docs/fleet.md):\n${firstFleet}`,
    );
  return parseFleet(file, text);
}

/** @param others workspace files that are not on disk, by absolute path */
export function parseFleet(file: string, source: string, others: readonly string[] = []): Fleet {
  const { data, tree } = parseFile(fleetSchema, file, source);
  const { defaults = {}, waves = [], policy } = data;
  const { from = [], ...declared } = data.workspaces;
  const found = findFilesFrom([from].flat(), file, tree, others);
  const workspaces: Record<string, z.infer<typeof entrySchema> | null> = { ...found.entries };
  for (const [name, own] of Object.entries(declared)) workspaces[name] = { ...found.entries[name], ...own };
  const at = (path: string) => (isAbsolute(path) ? path : resolve(dirname(file), path));
  const entries = Object.entries(workspaces).map(([name, own]): FleetEntry => {
    const entry = { ...defaults, ...own };
    return {
      name,
      file: at(entry.file ?? "workspace.yaml"),
      stack: entry.stack ?? name,
      connection: entry.connection,
      overlays: (entry.overlays ?? []).map(at),
      allowPaths: (entry.allowPaths ?? []).map(at),
      backend: entry.backend === undefined ? undefined : resolveBackend(entry.backend, at),
      environment: { ...defaults.environment, ...own?.environment },
      revision: entry.revision,
      owner: entry.owner,
      notify: entry.notify,
      policy: entry.policy === undefined ? undefined : at(entry.policy),
    };
  });
  refuseCode(file, entries);
  refuseForeignPaths(file, entries);
  const names = entries.map(({ name }) => name);
  const ofEntries = [["defaults"], ...names.map((name) => ["workspaces", name])].flatMap((path) => {
    const own = path[1] === undefined ? defaults : workspaces[path[1]];
    return own?.policy === undefined
      ? []
      : findForeignPolicy(at(own.policy), file, tree, [...path, "policy"]);
  });
  const problems = [
    ...found.problems,
    ...ofEntries,
    ...findSameStackTwice(entries, tree),
    ...listWaveProblems(names, waves, tree),
    ...findRefusedVariables(defaults.environment, ["defaults"], tree),
    ...Object.entries(workspaces).flatMap(([name, own]) =>
      findRefusedVariables(own?.environment, ["workspaces", name], tree),
    ),
    ...(policy === undefined ? [] : findForeignPolicy(at(policy), file, tree, ["policy"])),
  ];
  if (problems.length > 0) throw new WorkspaceFileError(file, problems, source);
  return { entries, waves: listWaves(names, waves), policy: policy === undefined ? undefined : at(policy) };
}

/** Refuses modules: a fleet file is data, and the author of a change must not say which code runs. @throws {AutomationError} */
function refuseCode(fleet: string, entries: readonly FleetEntry[]): void {
  const files = entries.flatMap(({ name, file, overlays }) =>
    [file, ...overlays].map((path) => ({ name, path })),
  );
  const code = files.find(({ path }) => isModule(path));
  if (code !== undefined)
    throw new AutomationError(
      `${fleet} uses ${code.path} for ${code.name}, which is code`,
      `write that workspace in YAML, or run it without the fleet (-f ${code.path})`,
    );
}

/** Refuses paths out of the checkout: only the caller may allow a folder, with --allow-path. @throws {TrustError} */
function refuseForeignPaths(fleet: string, entries: readonly FleetEntry[]): void {
  const paths = entries.flatMap(({ file, overlays, allowPaths }) => [file, ...overlays, ...allowPaths]);
  for (const path of new Set(paths)) refuseOutsideCheckout(path, relative(dirname(fleet), path), fleet);
}

/** Resolves a relative folder against the fleet file; Pulumi would use its working directory. */
function resolveBackend(backend: string, at: (path: string) => string): StateAddress {
  const relative = /^file:\/\/(?!\/|~)(.*)$/.exec(backend)?.[1];
  if (relative !== undefined) return createFolderAddress(at(relative));
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(backend)
    ? new StateAddress(backend)
    : createFolderAddress(at(backend));
}

/** Finds variables that only the caller may set. */
function findRefusedVariables(
  environment: Readonly<Record<string, string>> = {},
  entry: PropertyPath,
  tree: Tree,
): Diagnostic[] {
  return Object.entries(environment).flatMap(([to, from]) => {
    try {
      refuseMapping(to, from);
      return [];
    } catch (error) {
      const path = [...entry, "environment", to];
      const { message } = error as Error;
      return [createDiagnostic(getPositionAt(tree, path), { code: "forbidden-source", message }, path)];
    }
  });
}

/** A file of a checkout may read nothing outside of it. Who may change the file may change this policy too, so it only adds to others. */
function findForeignPolicy(policy: string, file: string, tree: Tree, path: PropertyPath): Diagnostic[] {
  if (isInside(findCheckoutRoot(dirname(file)), policy)) return [];
  const message = "is outside of the checkout: pass it with --policy or in WORKSPACE_AUTOMATION_POLICY";
  return [createDiagnostic(getPositionAt(tree, path), { code: "forbidden-source", message }, path)];
}

/** Finds entries with the same state, which would revert each other's changes. */
function findSameStackTwice(entries: readonly FleetEntry[], tree: Tree): Diagnostic[] {
  const first = new Map<string, FleetEntry>();
  return entries.flatMap((entry) => {
    const key = JSON.stringify([entry.file, entry.stack, entry.backend?.whole]);
    const other = first.get(key);
    if (other === undefined) first.set(key, entry);
    if (other === undefined) return [];
    const message = `${entry.name} is the same stack of the same file as ${other.name}: write another "stack:" for one of the two`;
    const path = ["workspaces", entry.name];
    return [createDiagnostic(getPositionAt(tree, path, true), { code: "declared-twice", message }, path)];
  });
}
