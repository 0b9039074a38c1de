/** Lists the resources that a program declares: the same as the workspace file of these objects, in the same order. */
import { z } from "zod";
import { readDeclarations, Ref, type ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import { documentText } from "../../../../workspace-file/write/write.js";
import type { Definition, Fields } from "../../../../provider/index.js";
import type { Exported } from "../writer.js";
import { Expression } from "./literals.js";
import type { ProgramSettings } from "./settings.js";

/** One resource of the program. */
export interface Resource {
  /** Name of its class. */
  readonly type: string;
  /** Its logical name, as in the workspace file, so that both forms work on the same stack. */
  readonly name: string;
  readonly noun: string;
  /** Arguments, with a `Ref` for each reference and an `Expression` for each value from the configuration. */
  readonly args: Fields;
  readonly after: string | undefined;
  readonly options: Pick<ResourceDeclaration, "formerNames" | "retain" | "protect">;
}

/** Lists the resources, each after those that it refers to. */
export function buildResources({ document, declared }: Exported, settings: ProgramSettings): Resource[] {
  const text = documentText(document);
  const { declarations } = readDeclarations("-", { mock: true, env: {}, stdin: () => text });
  const found = new Map(declared.declarations.map((declaration) => [declaration.name, declaration]));
  return orderInPlace(declarations).map((declaration) => {
    const { definition, name, after, formerNames, retain, protect } = declaration;
    const args = buildArgs(declaration, found.get(name)?.args ?? {}, settings);
    const options = { formerNames, retain, protect };
    return {
      type: chooseClass(definition, declaration.args),
      noun: definition.noun,
      name,
      args,
      after,
      options,
    };
  });
}

/** A variant that is not selected by a literal has its own class: see scripts/generate/resources.ts. */
function chooseClass({ type, variants }: Definition, args: Fields): string {
  const variant = variants?.select(args);
  if (variants === undefined || variant === undefined) return type;
  const isOpen = !Object.values(variants.of[variant]?.args ?? {}).some((arg) => arg instanceof z.ZodLiteral);
  return isOpen ? `${variant.charAt(0).toUpperCase()}${variant.slice(1)}${type}` : type;
}

/** Moves a resource that owns the order of a list to the end of the list's parent. */
function orderInPlace(declarations: readonly ResourceDeclaration[]): ResourceDeclaration[] {
  // Resources with an entry in the file have names made of pairs of section and key.
  const isKeeper = ({ name }: ResourceDeclaration) => name.split("/").length % 2 === 1;
  const placed = declarations.filter((declaration) => !isKeeper(declaration));
  for (const keeper of declarations.filter(isKeeper)) {
    const parent = keeper.name.slice(0, keeper.name.lastIndexOf("/") + 1);
    const last = placed.findLastIndex(({ name }) => name.startsWith(parent));
    placed.splice(last + 1, 0, keeper);
  }
  return placed;
}

/** Puts the parent and the key first, and omits the workspace, which comes from the connection. */
function buildArgs(
  { definition, args }: ResourceDeclaration,
  found: Fields,
  settings: ProgramSettings,
): Fields {
  const { under = {}, keyedBy } = definition.document ?? {};
  const places = Object.values(under).flatMap((arg) => (arg === null ? [] : ["project", arg]));
  const first = [...new Set([...places, ...(keyedBy === undefined ? [] : [keyedBy])])];
  const names = [...first, ...Object.keys(args).filter((name) => !first.includes(name))];
  return Object.fromEntries(
    names
      .filter((name) => args[name] !== undefined && name !== "workspace")
      .map((name) => [name, settings.filled(found[name]) ?? args[name]]),
  );
}

/** Lists the names of all resources that a value refers to. */
export function refersTo(value: unknown): string[] {
  if (value instanceof Ref) return [value.name];
  if (value instanceof Expression || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(refersTo);
}
