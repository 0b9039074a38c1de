/** `replicate-mapping.yaml`: names that differ between two workspaces. `replicate` and `compare` read it. */
import { z } from "zod";
import { findNamed } from "../../provider/index.js";
import { nameOrId, text } from "../../resources/definition/primitives.js";
import { integrationReference } from "../../resources/definition/references.js";
import { readTextIfPresent } from "../../trust/checkout-files.js";
import { getLocation, getPositionAt, type Location } from "../../workspace-file/index.js";
import { locateBeside, parseFile } from "../config-files/checked-files.js";
import { AutomationError } from "../errors.js";

/** Its name in the folder of the workspace file. */
export const MAPPING_FILE = "replicate-mapping.yaml";

export const mappingSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    integrations: z
      .record(text, nameOrId)
      .optional()
      .describe(
        "Integrations: the name (or number) that one has in the first workspace, and its name (or number) in the other.",
      )
      .meta({ examples: [{ "chat-us": "chat-eu" }] }),
    integrationIdentifiers: z
      .record(text, text)
      .optional()
      .describe(
        "Identifiers of integrations, as actions of type AGENT name them: in the first, and in the other.",
      )
      .meta({ examples: [{ "agent-us": "agent-eu" }] }),
  })
  .meta({
    title: "Mapping between two workspaces",
    description: "What `workspacectl replicate` and `compare` treat as the same in two workspaces.",
  });

/** Names that differ between two workspaces. All other names are the same. */
export interface Mapping {
  /** The file; absent when there is none. */
  readonly file: string | undefined;
  /** Names or ids in the second workspace, by the name, or the id as a text, in the first. */
  readonly integrations: ReadonlyMap<string, string | number>;
  readonly integrationIdentifiers: ReadonlyMap<string, string>;
  /** Returns the location of an entry. */
  readonly locate: (section: MappedSection, key: string) => Location | undefined;
}

export type MappedSection = "integrations" | "integrationIdentifiers";

const none: Mapping = {
  file: undefined,
  integrations: new Map(),
  integrationIdentifiers: new Map(),
  locate: () => undefined,
};

/** The name of an integration as the mapping spells it; undefined where it has no entry. */
export function findMappedName({ integrations }: Mapping, name: string): string | undefined {
  return findNamed([...integrations.keys()], integrationReference.spelling, name, (one) => one)[0];
}

/** The name or id that an integration has in the second workspace; undefined where the mapping has no entry. */
export function findMapped(mapping: Mapping, name: string): string | number | undefined {
  return mapping.integrations.get(findMappedName(mapping, name) ?? name);
}

/**
 * Reads the named mapping file, or the one in the folder of the workspace file if it exists.
 * @param workspaceFile a workspace file or a folder of them, if any
 * @throws {WorkspaceFileError} with all its problems, {AutomationError} when a named file does not exist
 */
export function readMapping(named: string | undefined, workspaceFile: string | undefined): Mapping {
  const file = named ?? (workspaceFile === undefined ? undefined : locateBeside(workspaceFile, MAPPING_FILE));
  if (file === undefined) return none;
  const text = readTextIfPresent(file, { named: named !== undefined });
  if (text !== undefined) return parseMapping(file, text);
  if (named === undefined) return none;
  throw new AutomationError(
    `there is no mapping file ${file}`,
    "correct the path after --mapping, or omit the option",
  );
}

export function parseMapping(file: string, source: string): Mapping {
  const { data, tree } = parseFile(mappingSchema, file, source);
  const { integrations = {}, integrationIdentifiers = {} } = data;
  return {
    file,
    integrations: new Map(Object.entries(integrations)),
    integrationIdentifiers: new Map(Object.entries(integrationIdentifiers)),
    locate: (section, key) => getLocation(getPositionAt(tree, [section, key], true)),
  };
}
