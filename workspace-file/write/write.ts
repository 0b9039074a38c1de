/** Converts declarations to a workspace document. */
import { pickDefined } from "../../diff/values.js";
import { escapeKey, type NameStep } from "../../resources/definition/logical-name.js";
import { WORKSPACE } from "../../resources/definition/placement.js";
import { findDefinition } from "../../resources/index.js";
import type { WorkspaceDocument } from "../../schema/workspace-document.js";
import { escapePlaceholders } from "../compose/placeholders.js";
import type { ResourceDeclaration } from "../load/resource-declaration.js";
import { writeEntryArguments, type WrittenEntry } from "./arguments.js";
import { splitPlacement } from "./split-names.js";
import type { WriteOptions, WrittenFields } from "./types.js";

export type { WriteOptions } from "./types.js";
export { documentText, valueText } from "./text.js";

/** Declarations of a workspace file, or of the objects found in the service. */
export interface Declarations {
  readonly workspace?: string | undefined;
  readonly connection?: string | undefined;
  /** Patterns of the names that the file owns. */
  readonly owns?: readonly string[] | undefined;
  readonly declarations: readonly ResourceDeclaration[];
}

/**
 * Returns the document in its canonical form: entries by key, `name` only where it differs from the key, short forms where
 * there is one, lists in order with `key` only where it differs from the name, references by key. Objects that are referred to
 * or contain others and are not declared themselves are `external`.
 *
 * Contains secret values in plaintext: callers that write them to a file must replace them by placeholders first.
 */
export function documentOf(from: Declarations, options: WriteOptions = {}): WorkspaceDocument {
  const { workspace, connection, owns } = from;
  const declared = from.declarations.filter(({ definition }) => definition.document !== undefined);
  const everywhere =
    options.separate !== true && declared.length > 0 && declared.every(({ args }) => args["adopt"] === true);
  const tree = new Writer(options, everywhere).write(declared);
  const head = {
    workspace,
    connection,
    ...(owns === undefined ? {} : { owns: [...owns] }),
    ...(everywhere ? { adopt: true } : {}),
  };
  return { version: 1, ...pickDefined(head), ...tree };
}

class Writer {
  private readonly top: WrittenFields = {};
  /** Contents of entries by logical name. */
  private readonly entries = new Map<string, WrittenFields>();
  /** Logical names of entries that are kept when they are removed. */
  private readonly retained = new Set<string>();
  private names: ReadonlySet<string> = new Set();

  constructor(
    private readonly options: WriteOptions,
    private readonly adopt: boolean,
  ) {}

  write(declarations: readonly ResourceDeclaration[]): WrittenFields {
    this.names = new Set(declarations.map(({ name }) => name));
    // Parents come first, whatever the references are.
    const depth = ({ name }: ResourceDeclaration) => name.split("/").length;
    const outerFirst = declarations.toSorted((a, b) => depth(a) - depth(b));
    for (const declaration of outerFirst) this.add(declaration);
    return this.top;
  }

  private add(declaration: ResourceDeclaration): void {
    const { definition } = declaration;
    const placement = definition.document!;
    const steps = splitPlacement(declaration);
    const parent = this.findParent(steps.slice(0, -1));
    const step = steps.at(-1)!;
    const around = steps.slice(0, -1).map(({ section, escaped }) => `${section}/${escaped}`);
    const inherited = { adopt: this.adopt, retain: this.retained.has(around.join("/")) };
    if (declaration.retain) this.retained.add(declaration.name);
    const written = writeEntryArguments(declaration, step.key, this.options, inherited);
    for (const { type, key } of written.externals) this.external(type, key);
    if (placement.form === "keys") {
      const item = declaration.args[placement.keyedBy];
      listIn(parent, placement.section).push(typeof item === "number" ? item : escapePlaceholders(step.key));
    } else if (placement.form === "list") {
      const entry: WrittenFields = { ...getKey(step, written, placement.keyedBy), ...written.fields };
      listIn(parent, placement.section).push(entry);
      this.entries.set(declaration.name, entry);
    } else {
      // A type with a short form contains no others.
      put(mapIn(parent, placement.section), step.key, written.short ?? written.fields);
      this.entries.set(declaration.name, written.fields);
    }
  }

  /** Returns the entry that contains others, which is external unless it is declared. */
  private findParent(steps: readonly NameStep[]): WrittenFields {
    let parent = this.top;
    let name = "";
    for (const { section, key, escaped } of steps) {
      name = `${name === "" ? "" : `${name}/`}${section}/${escaped}`;
      const known = this.entries.get(name);
      const entry = known ?? (this.names.has(name) ? {} : { external: true });
      if (known === undefined) {
        put(mapIn(parent, section), key, entry);
        this.entries.set(name, entry);
      }
      parent = entry;
    }
    return parent;
  }

  /** Adds an object that is referred to by name and not declared. */
  private external(type: string, key: string): void {
    const placement = findDefinition(type)?.document;
    if (placement === undefined || !(WORKSPACE in placement.under)) return;
    const escaped = escapeKey(key);
    const name = `${placement.section}/${escaped}`;
    if (!this.names.has(name)) this.findParent([{ section: placement.section, key, escaped }]);
  }
}

function getKey({ key }: NameStep, { fields }: WrittenEntry, keyedBy: string): WrittenFields {
  // In a list the key is an ordinary text.
  return { [fields[keyedBy] === undefined ? keyedBy : "key"]: escapePlaceholders(key) };
}

function listIn(parent: WrittenFields, section: string): unknown[] {
  parent[section] ??= [];
  return parent[section] as unknown[];
}

function mapIn(parent: WrittenFields, section: string): WrittenFields {
  parent[section] ??= {};
  return parent[section] as WrittenFields;
}

/** Sets an own property, whatever its name. */
function put(map: WrittenFields, key: string, value: unknown): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}
