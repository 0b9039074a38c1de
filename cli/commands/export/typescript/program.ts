/** What a program declares: the resources that the workspace file of the same objects would, in the same order. */
import { z } from "zod";
import { readDeclarations, Ref, type ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import { documentText } from "../../../../workspace-file/write/write.js";
import type { Definition, Fields } from "../../../../provider/index.js";
import type { Exported } from "../writer.js";
import { Expression } from "./literals.js";
import type { ProgramSettings } from "./settings.js";

/** One resource of the program. */
export interface Resource {
  /** Name of its class, which is its type. */
  readonly type: string;
  /** Its logical name: that of the workspace file, so that both forms mean the same object of a stack. */
  readonly name: string;
  readonly noun: string;
  /** Arguments; references to others are `Ref`s, what is read from the configuration is an `Expression`. */
  readonly args: Fields;
  readonly after: string | undefined;
  readonly options: Pick<ResourceDeclaration, "formerNames" | "retain" | "protect">;
}

/** The resources, each after those that it refers to. */
export function resourcesOf({ document, declared }: Exported, settings: ProgramSettings): Resource[] {
  const text = documentText(document);
  const { declarations } = readDeclarations("-", { mock: true, env: {}, stdin: () => text });
  const found = new Map(declared.declarations.map((declaration) => [declaration.name, declaration]));
  return inPlace(declarations).map((declaration) => {
    const { definition, name, after, formerNames, retain, protect } = declaration;
    const args = argsOf(declaration, found.get(name)?.args ?? {}, settings);
    const options = { formerNames, retain, protect };
    return { type: classOf(definition, declaration.args), noun: definition.noun, name, args, after, options };
  });
}

/** A variant that leaves open what it is chosen by has a class of its own: see scripts/generate/resources.ts. */
function classOf({ type, variants }: Definition, args: Fields): string {
  const variant = variants?.select(args);
  if (variants === undefined || variant === undefined) return type;
  const isOpen = !Object.values(variants.of[variant]?.args ?? {}).some((arg) => arg instanceof z.ZodLiteral);
  return isOpen ? `${variant.charAt(0).toUpperCase()}${variant.slice(1)}${type}` : type;
}

/** What keeps the order of a list comes right after all that is in the list's holder. */
function inPlace(declarations: readonly ResourceDeclaration[]): ResourceDeclaration[] {
  // Only what a file has no entry for is called by anything but pairs of section and key.
  const isKeeper = ({ name }: ResourceDeclaration) => name.split("/").length % 2 === 1;
  const placed = declarations.filter((declaration) => !isKeeper(declaration));
  for (const keeper of declarations.filter(isKeeper)) {
    const holder = keeper.name.slice(0, keeper.name.lastIndexOf("/") + 1);
    const last = placed.findLastIndex(({ name }) => name.startsWith(holder));
    placed.splice(last + 1, 0, keeper);
  }
  return placed;
}

/** Where it stands and what it is called come first. The workspace is the connection's. */
function argsOf({ definition, args }: ResourceDeclaration, found: Fields, settings: ProgramSettings): Fields {
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

/** Names of all resources that an argument, or a whole map of them, refers to. */
export function refersTo(value: unknown): string[] {
  if (value instanceof Ref) return [value.name];
  if (value instanceof Expression || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(refersTo);
}
