/** `people.yaml`: the e-mail addresses of members, when the service hides them. */
import { isMap, parseDocument, YAMLMap } from "yaml";
import { z } from "zod";
import { definitions, type DiscoveredObject, type KnownNames } from "../../provider/index.js";
import { readTextIfPresent } from "../../trust/checkout-files.js";
import { createPlainMeaning, readPlain } from "../../workspace-file/edit/edit.js";
import { parseFile } from "../config-files/checked-files.js";
import { writeUserFiles } from "../config-files/write-user-files.js";
import { note, type Port } from "../port.js";
import type { ExportScope } from "./scope.js";

export const peopleSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    members: z
      .record(
        z.string().regex(/^\d+$/, "must be the number of a member, the last part of the member's address"),
        z.email("must be an e-mail address, or left empty").nullable(),
      )
      .describe("E-mail addresses by the member's number; empty where the address is not known yet.")
      .meta({ examples: [{ "42": "ann@example.com" }] }),
  })
  .meta({
    title: "People",
    description: "What `workspacectl export --people` reads: the e-mail addresses that the service hides.",
  });

/** Kinds of objects whose key the service may hide. */
const hidden = definitions.filter(({ document }) => document?.numberedBy !== undefined);

export interface PeopleOptions {
  readonly people?: string;
  readonly name?: string;
}

/**
 * Reads the names in the people file. When members themselves are not exported, other objects refer to them by id, because no name
 * would lead to them.
 * @throws {WorkspaceFileError} with all that is wrong in the file
 */
export function getKnownPeople(
  { people, name }: PeopleOptions,
  { enters }: Pick<ExportScope, "enters">,
): KnownNames {
  const text = people === undefined || name !== undefined ? undefined : readTextIfPresent(people);
  if (people === undefined || text === undefined) return new Map();
  const { data } = parseFile(peopleSchema, people, text);
  const known = Object.entries(data.members).flatMap(([id, email]): [number, string][] =>
    email === null ? [] : [[Number(id), email]],
  );
  return new Map(hidden.filter(({ type }) => enters(type)).map(({ type }) => [type, new Map(known)]));
}

/** Whether there are members whose address the service does not show. */
export function hasHiddenPeople(objects: readonly DiscoveredObject[]): boolean {
  return objects.some(isHidden);
}

const isHidden = ({ definition, args }: DiscoveredObject) =>
  hidden.includes(definition) && args[definition.document?.keyedBy ?? ""] === undefined;

/**
 * Explains how to declare members whose address is not known, and adds a line for each to the people file.
 * @param again the next step once the file is filled in
 */
export function askForPeople(
  { people }: PeopleOptions,
  objects: readonly DiscoveredObject[],
  io: Port,
  again = "export again",
): void {
  const missing = objects.filter(isHidden);
  if (missing.length === 0) return;
  if (people === undefined) {
    note(
      io,
      "To declare members whose addresses you know: export with --people people.yaml, and fill in that file",
    );
    return;
  }
  const before = readTextIfPresent(people);
  const known = (before === undefined ? { version: 1 } : readPlain(before)) as PeopleInFile;
  const added = missing.map(({ definition, outputs }) => [String(outputs[definition.identity.state]), null]);
  const members = { ...Object.fromEntries(added), ...known.members } as PeopleInFile["members"];
  writeUserFiles(
    [{ path: people, after: withLines(before, missing, again) }],
    createPlainMeaning(people, { ...known, members }),
  );
  note(io, `Fill in the addresses of ${missing.length} members in ${people}, and ${again}`);
}

interface PeopleInFile {
  readonly members?: Readonly<Record<string, string | null>> | null;
}

const formatHead = (again: string) =>
  `# E-mail addresses of members by number, because the service does not return them.
# Fill in those that should be declared, and ${again}.
`;

/** Adds an empty line to the people file for each missing member. The rest of the file does not change. */
function withLines(text: string | undefined, missing: readonly DiscoveredObject[], again: string): string {
  const document = parseDocument(text ?? `${formatHead(again)}version: 1\nmembers:\n`);
  if (!isMap(document.get("members"))) document.set("members", new YAMLMap());
  for (const { definition, key, outputs } of missing) {
    const id = Number(outputs[definition.identity.state]);
    if (document.hasIn(["members", id]) || document.hasIn(["members", String(id)])) continue;
    const empty = document.createNode(null);
    empty.comment = ` ${key.replace(` (${id})`, "").replaceAll(/\s+/g, " ")}`;
    document.setIn(["members", id], empty);
  }
  return document.toString({ nullStr: "" });
}
