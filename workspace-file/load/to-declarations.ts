/** Converts a document to a flat list of resource declarations in dependency order. */
import { z } from "zod";
import { type DocumentKind, listArgsFromParent } from "../../resources/definition/placement.js";
import {
  formatHint,
  listProblems,
  type Problem,
  type PropertyPath,
} from "../../resources/definition/problems.js";
import { definitions, type Fields, formatProblemLine, type ProviderEngine } from "../../resources/index.js";
import { getSections } from "../compose/shape.js";
import type { GuardSettings } from "../document/guard-settings.js";
import { documentHead, entryWords } from "../document/properties.js";
import type { DocumentProblem } from "../syntax/diagnostics.js";
import {
  findPartAt,
  getValue,
  holdsSecret,
  Interpolated,
  listLeavesIn,
  listMissingSecrets,
  type MapTree,
} from "../syntax/tree.js";
import { checkArgs, findLeafIn } from "./check-arguments.js";
import { chainActions, sortByNeeds } from "./dependency-order.js";
import { findSameFormerName, findSameObjectTwice, withSharedKeys } from "./duplicates.js";
import { type Entry, readEntries } from "./entries.js";
import { locateInFile } from "./exclusive-sections.js";
import { findIgnoredNothing } from "./ignore-changes.js";
import { listMissingOutputs, resolveOutputs } from "./outputs.js";
import { checkOwns, type Owns } from "./owns.js";
import { DeclaredNames, mapRefs, Ref, resolveNames } from "./resolve-names.js";
import type { ResourceDeclaration } from "./resource-declaration.js";
import { collectReferences, collectWritten, holdsOutsideValue } from "./secret-references.js";
import { listSecretOutputsInNames, listSecretsInHead, listSecretsInNames } from "./secrets-in-names.js";

export interface ToDeclarationsResult {
  readonly workspace: string | undefined;
  readonly connection: string | undefined;
  /** Engine of the resources, if the file sets it. */
  readonly engine: ProviderEngine | undefined;
  /** Patterns of what the file owns, if it does not own all that it declares. */
  readonly owns: Owns;
  /** Settings of the guards. */
  readonly guards: GuardSettings | undefined;
  readonly declarations: readonly ResourceDeclaration[];
  readonly problems: readonly DocumentProblem[];
}

/** Returns the declarations of a document, and all problems with their paths. */
export function toDeclarations(document: MapTree): ToDeclarationsResult {
  const problems: DocumentProblem[] = [];
  const value = getValue(document) as Fields;
  const { everywhere, ...head } = readHead(value, problems);
  const { entries, problems: found } = readEntries(value);
  problems.push(...found.filter(({ path }) => !findLeafIn(document, path)?.mock));
  if (head.owns && !listLeavesIn(findPartAt(document, ["owns"])).some(({ mock }) => mock))
    problems.push(...checkOwns(head.owns, entries.values()));
  const file = { document, entries, names: new DeclaredNames(entries.values()), everywhere, problems };
  const managed = [...entries.values()].filter((entry) => !entry.external);
  const declarations = withSharedKeys(withKnownOutputs(managed.map((entry) => declare(entry, file))));
  problems.push(...listSecretsInHead(document), ...listSecretOutputsInNames(declarations));
  problems.push(...listMissingOutputs(declarations, entries));
  problems.push(...declarations.flatMap((one) => listMissingValues(document, one)));
  problems.push(...findSameObjectTwice(declarations), ...findSameFormerName(declarations));
  const sequence = chainActions(declarations, entries);
  return { ...head, declarations: sortByNeeds(sequence, problems), problems };
}

/** Keeps the values of arguments that other objects use as outputs. */
function withKnownOutputs(declarations: readonly ResourceDeclaration[]): ResourceDeclaration[] {
  const used = new Set<string>();
  for (const { args } of declarations)
    mapRefs(args, (value) => {
      if (value instanceof Interpolated)
        for (const { name, output } of value.outputs) used.add(`${name} ${output}`);
      return value;
    });
  return declarations.map((declaration) => ({
    ...declaration,
    references: Object.fromEntries(
      Object.entries(declaration.references).filter(([arg]) => !used.has(`${declaration.name} ${arg}`)),
    ),
  }));
}

/** Reports secrets that cannot be read now, although the engine needs their values. */
function listMissingValues(document: MapTree, declaration: ResourceDeclaration): DocumentProblem[] {
  const { path, secrets, references } = declaration;
  const own = findPartAt(document, path);
  return secrets
    .filter((arg) => !Object.hasOwn(references, arg))
    .flatMap((arg) => {
      const part = own?.kind === "leaf" ? own : findPartAt(own, [arg]);
      return listMissingSecrets(part).map(({ code, message }) => ({ path: [...path, arg], code, message }));
    });
}

/** Document that contains an entry. */
interface File {
  readonly document: MapTree;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly names: DeclaredNames;
  /** Arguments that the head of the file sets for all entries. */
  readonly everywhere: Fields;
  readonly problems: DocumentProblem[];
}

const headSchema = z.strictObject(documentHead);

function readHead(value: Fields, problems: Problem[]) {
  const sections = getSections();
  const written = Object.fromEntries(Object.entries(value).filter(([key]) => !sections.has(key)));
  const parsed = headSchema.safeParse(written, { reportInput: true });
  if (!parsed.success) {
    const known = [...Object.keys(documentHead), ...sections.keys()];
    const settings = Object.keys(documentHead.guards.unwrap().shape);
    for (const problem of listProblems(parsed.error, ({ length }) => (length === 0 ? known : settings))) {
      problems.push({
        ...problem,
        message: problem.atKey ? (explainElsewhere(problem) ?? problem.message) : formatProblemLine(problem),
      });
    }
  }
  const head: Partial<z.infer<typeof headSchema>> = parsed.data ?? {};
  const { workspace, connection, engine, adopt, owns, guards } = head;
  problems.push(...listUnknownKinds(guards));
  const everywhere = { ...(workspace === undefined ? {} : { workspace }), ...(adopt ? { adopt } : {}) };
  return { workspace, connection, engine, owns, guards, everywhere };
}

/** Reports protected kinds that do not exist and would protect nothing. */
function listUnknownKinds(guards: GuardSettings | undefined): Problem[] {
  const types = definitions.map(({ type }) => type);
  return (guards?.protectedKinds ?? []).flatMap((kind, index) =>
    types.includes(kind)
      ? []
      : {
          path: ["guards", "protectedKinds", index],
          code: "not-allowed-value" as const,
          message: `"${kind}" is not a resource type${formatHint(kind, types)}`,
        },
  );
}

const kinds = definitions.filter((kind): kind is DocumentKind => kind.document !== undefined);

/** Explains in which entries a section belongs that is not allowed at the top. */
function explainElsewhere({ path: [section], message }: Problem): string | undefined {
  const kind = kinds.find(({ document }) => document.section === section);
  const parents = kinds.filter(({ type }) => type in (kind?.document.under ?? {}));
  const sections = parents.map(({ document }) => document.section).join(" or ");
  if (message.includes("Did you mean") || sections === "") return undefined;
  return `unknown property "${section}": move it into an entry of ${sections}`;
}

/** Returns the resource that an entry declares, and checks its arguments. */
function declare(entry: Entry, file: File): ResourceDeclaration {
  const { definition, path, name, formerNames, retain, protect, ignoreChanges } = entry;
  const { problems } = file;
  const placed = listArgsFromParent(definition).filter((name) => Object.hasOwn(entry.written, name));
  for (const arg of placed) {
    problems.push({
      path: [...path, arg],
      code: "unknown-property",
      message: `unknown property "${arg}": remove it, because it follows from where the ${definition.noun} is declared`,
      atKey: true,
    });
  }
  const names = resolveNames(entry, file.names, problems);
  const written = resolveOutputs({ ...entry.written, ...names }, file.entries, ({ at }, problem) =>
    problems.push({ ...problem, path, at }),
  ) as Fields;
  const inFile = (of: PropertyPath) => [...path, ...locateInFile(entry.exclusiveSections, of)];
  const own = findPartAt(file.document, path);
  const leafAt = (of: PropertyPath) =>
    own?.kind === "leaf" && of[0] === definition.document.scalar
      ? own
      : findLeafIn(file.document, inFile(of));
  const checked = checkArgs(
    definition,
    { ...file.everywhere, ...written, ...fromPlace(entry) },
    listWordsOf(definition),
    leafAt,
  );
  for (const problem of checked.problems) {
    if (entry.incomplete && problem.code === "required") continue;
    // In a map the key is the value of an argument. Other values are found by their path.
    const isKey = problem.path[0] === definition.document.keyedBy && definition.document.form !== "list";
    problems.push({
      path: isKey ? path : inFile(problem.path),
      code: problem.code,
      message: problem.atKey ? problem.message : formatProblemLine(locateInEntry(entry, problem)),
      atKey: isKey || problem.atKey === true,
    });
  }
  const { args } = checked;
  if (!entry.incomplete) problems.push(...findIgnoredNothing(entry, args));
  const secrets = Object.keys(written).filter((arg) => holdsSecret(leafAt([arg]) ?? findPartAt(own, [arg])));
  const references = collectReferences(args, secrets, leafAt);
  const asWritten = collectWritten(
    args,
    Object.keys(args).filter((arg) =>
      // Nobody knows what the values are that others put into passed-through data.
      definition.undocumented.includes(arg)
        ? holdsOutsideValue(leafAt([arg]) ?? findPartAt(own, [arg]))
        : secrets.includes(arg) && !(arg in references),
    ),
    leafAt,
  );
  problems.push(...listSecretsInNames(definition, own, path));
  return {
    definition,
    name,
    formerNames,
    path,
    args,
    secrets,
    references,
    asWritten,
    retain,
    protect,
    ignoreChanges,
    after: undefined,
  };
}

/** Removes the path of an entry that its parent manages exclusively from a problem. */
function locateInEntry(entry: Entry, problem: Problem): Problem {
  const { path } = problem;
  return locateInFile(entry.exclusiveSections, path) === path ? problem : { ...problem, path: path.slice(2) };
}

/** Returns the properties of an entry besides its arguments. */
function listWordsOf({ type, document }: DocumentKind): string[] {
  return [
    ...getSections(type).keys(),
    ...Object.keys(entryWords),
    ...(document.form === "list" ? ["key"] : []),
  ];
}

/** Returns the arguments of an entry that its parents determine. */
function fromPlace(entry: Entry): Fields {
  const { parent, definition } = entry;
  if (!parent) return {};
  const arg = String(definition.document.under[parent.definition.type]);
  if (!parent.external) return { [arg]: new Ref(parent.name) };
  // An external parent is found by name, which requires the arguments of its own parents.
  return { ...fromPlace(parent), [arg]: parent.key };
}
