/** Templates: entries with parameters that other entries reuse. */
import { z } from "zod";
import type { DocumentKind } from "../../resources/definition/placement.js";
import { addArticle, formatHint, listProblems } from "../../resources/definition/problems.js";
import { definitions } from "../../resources/index.js";
import { templateSchema } from "../document/template-schema.js";
import { MAX_PARTS } from "../syntax/parse.js";
import type { Position } from "../syntax/source.js";
import {
  createLeaf,
  findLeafValue,
  getPositionAt,
  getValue,
  type LeafTree,
  mapLeaves,
  type MapTree,
  type Piece,
  type Tree,
  type TreeMember,
  withMembers,
} from "../syntax/tree.js";
import type { Problems } from "./diagnostics.js";
import { applyOverlay } from "./overlay.js";
import { getPositionIn, splitPieces } from "./placeholders.js";
import { mapEntries } from "./shape.js";

interface Template {
  readonly name: string;
  readonly type: string;
  readonly parameters: ReadonlyMap<string, { readonly default?: Tree; readonly enum?: readonly unknown[] }>;
  /** Entry, or several items of a list. */
  readonly body: TreeMember;
  readonly several: boolean;
}

/** Returns a function that expands the templates of a document's entries. */
export function createTemplateExpander(document: MapTree, problems: Problems): (of: MapTree) => MapTree {
  const expander = new Expander(readTemplates(document.entries.get("templates"), problems), problems);
  return (of) =>
    withMembers(
      mapEntries(of, (entry, kind) => expander.expand(entry, kind, [])),
      { templates: undefined },
    );
}

function readTemplates(section: TreeMember | undefined, problems: Problems): Map<string, Template> {
  const templates = new Map<string, Template>();
  if (section === undefined || findLeafValue(section.value) === null) return templates;
  if (section.value.kind !== "map") {
    problems.add(
      section.value.at,
      "wrong-type",
      '"templates" must be a map: each key is the name of a template, with its type and entry below it',
    );
    return templates;
  }
  for (const [name, { key, value }] of section.value.entries) {
    const template = readTemplate(name, value, key, problems);
    if (template) templates.set(name, template);
  }
  return templates;
}

function readTemplate(name: string, tree: Tree, key: Position, problems: Problems): Template | undefined {
  const type = readType(tree, problems);
  const kind = type === undefined ? undefined : findKind(type, getPositionAt(tree, ["type"]), problems);
  if (type === undefined || kind === undefined) return undefined;
  const members = (tree as MapTree).entries;
  const [one, several] = [members.get("entry"), members.get("entries")];
  const body = one ?? several;
  const isList = kind.document.form === "list";
  if (body === undefined || (one && several) || (several && !isList)) {
    const has = isList
      ? "either `entry:` or `entries:`, with the properties that it sets"
      : "`entry:`, with the properties that it sets";
    problems.add(key, "template", `template "${name}" is for ${addArticle(kind.noun)}, and must have ${has}`);
    return undefined;
  }
  const parameters = readParameters(members.get("parameters")?.value);
  return { name, type, body, several: one === undefined, parameters };
}

/** Checks the form of a template, and returns its type. */
function readType(tree: Tree, problems: Problems): string | undefined {
  const parsed = templateSchema.safeParse(getValue(tree), { reportInput: true });
  if (parsed.success) return parsed.data.type;
  const known = (path: readonly unknown[]) => (path.length === 0 ? Object.keys(templateSchema.shape) : []);
  for (const { path, message, atKey, code } of listProblems(parsed.error, known)) {
    const last = path.at(-1);
    const named = atKey || last === undefined ? message : `${String(last)}: ${message}`;
    problems.add(getPositionAt(tree, path, atKey), code ?? "template", named);
  }
  return undefined;
}

function findKind(type: string, at: Position, problems: Problems): DocumentKind | undefined {
  const placed = definitions.filter(
    (d): d is DocumentKind => d.document !== undefined && d.document.form !== "keys",
  );
  const kind = placed.find((d) => d.type === type);
  const types = placed.map((d) => d.type);
  if (kind === undefined)
    problems.add(
      at,
      "not-allowed-value",
      `type: must be one of ${types.join(", ")}${formatHint(type, types)}`,
    );
  return kind;
}

function readParameters(declared: Tree | undefined): Template["parameters"] {
  const parameters = declared?.kind === "map" ? [...declared.entries] : [];
  return new Map(
    parameters.map(([parameter, { value }]) => {
      const given = value.kind === "map" ? value.entries : new Map<string, TreeMember>();
      const [otherwise, allowed] = [given.get("default")?.value, given.get("enum")?.value];
      return [
        parameter,
        {
          ...(otherwise === undefined ? {} : { default: otherwise }),
          ...(allowed === undefined ? {} : { enum: z.array(z.unknown()).parse(getValue(allowed)) }),
        },
      ];
    }),
  );
}

class Expander {
  /** Number of parts that templates added. A few templates that use each other could add any number. */
  private parts = 0;

  constructor(
    private readonly templates: ReadonlyMap<string, Template>,
    private readonly problems: Problems,
  ) {}

  /** @param inside names of the templates that contain this entry */
  expand(entry: Tree, kind: DocumentKind, inside: readonly string[]): Tree[] {
    const use = entry.kind === "map" ? entry.entries.get("template") : undefined;
    if (entry.kind !== "map" || use === undefined) {
      const given = entry.kind === "map" ? entry.entries.get("with") : undefined;
      if (given) this.problems.add(given.key, "template", "`with` requires `template`: add it");
      return [entry.kind === "map" ? withMembers(entry, { with: undefined }) : entry];
    }
    const own = withMembers(entry, { template: undefined, with: undefined });
    const template = this.find(findLeafValue(use.value), use.value.at, kind, inside);
    // The entry keeps its `template`, which marks it as incomplete.
    if (template === undefined) return [entry];
    if (this.parts > MAX_PARTS) return [entry]; // Reported only once.
    const values = this.values(template, entry.entries.get("with"), use.key);
    const body = this.fill(template.body.value, values, template);
    this.parts += body.size;
    if (this.parts > MAX_PARTS) {
      const message = `templates expand to more than ${MAX_PARTS} parts: use fewer templates of templates`;
      this.problems.add(use.key, "too-large", message);
      return [entry];
    }
    const further = [...inside, template.name];
    if (!template.several) {
      const [base = body] = this.expand(body, kind, further);
      const whole =
        base.kind === "map" ? mapEntries(base, (e, k) => this.expand(e, k, further), kind.type) : base;
      return [{ ...applyOverlay(whole, own, { is: "entry", kind }, this.problems), at: entry.at }];
    }
    for (const [, { key }] of own.entries) {
      const message = `template "${template.name}" contains several items: its entry may set only \`template\` and \`with\``;
      this.problems.add(key, "template", message);
    }
    const items = body.kind === "list" ? body.items : [];
    return items.flatMap((item) => this.expand(item, kind, further));
  }

  private find(
    name: unknown,
    at: Position,
    kind: DocumentKind,
    inside: readonly string[],
  ): Template | undefined {
    const template = typeof name === "string" ? this.templates.get(name) : undefined;
    const fitting = [...this.templates.values()].filter((t) => t.type === kind.type).map((t) => t.name);
    if (template === undefined) {
      if (typeof name !== "string") {
        this.problems.add(at, "wrong-type", "template: must be the name of a template");
        return undefined;
      }
      const written = name;
      const there = fitting.length === 0 ? `: declare one under "templates:", with type: ${kind.type}` : "";
      const message = `there is no template "${written}"${formatHint(written, fitting) || there}`;
      this.problems.add(at, "unknown-name", message);
    } else if (template.type !== kind.type) {
      this.problems.add(
        at,
        "template",
        `template "${template.name}" is for the type ${template.type}, and this is of ${kind.type}: choose a template for ${kind.type}, or write the properties here`,
      );
      return undefined;
    } else if (inside.includes(template.name)) {
      const circle = [...inside, template.name].join(" -> ");
      this.problems.add(
        at,
        "cycle",
        `template "${template.name}" uses itself: ${circle}. Remove one of these uses`,
      );
      return undefined;
    }
    return template;
  }

  /** Returns the values of the parameters for one use. */
  private values(template: Template, given: TreeMember | undefined, use: Position): Map<string, Tree> {
    const values = new Map<string, Tree>();
    const names = [...template.parameters.keys()];
    const written = given?.value.kind === "map" ? given.value.entries : new Map<string, TreeMember>();
    if (given !== undefined && given.value.kind !== "map" && findLeafValue(given.value) !== null)
      this.problems.add(
        given.value.at,
        "wrong-type",
        `"with" must be a map of parameters and their values, such as with: { ${names[0] ?? "NAME"}: VALUE }`,
      );
    for (const [name, { key }] of written) {
      if (!template.parameters.has(name)) {
        const message = `template "${template.name}" has no parameter "${name}"${formatHint(name, names) || `: it has ${names.join(", ") || "none"}`}`;
        this.problems.add(key, "unknown-property", message);
      }
    }
    for (const [name, parameter] of template.parameters) {
      const value = written.get(name)?.value ?? parameter.default;
      if (value === undefined) {
        const message = `template "${template.name}" requires the parameter "${name}": add "${name}: VALUE" below "with:"`;
        this.problems.add(given?.key ?? use, "required", message);
      } else if (parameter.enum && !parameter.enum.includes(findLeafValue(value))) {
        const message = `${name}: must be one of ${parameter.enum.map(String).join(", ")}`;
        this.problems.add(value.at, "not-allowed-value", message);
      }
      values.set(name, value ?? { ...createLeaf("", use), mock: true });
    }
    return values;
  }

  /** Returns the body with its `${param:...}` replaced. Other placeholders are replaced later. */
  private fill(body: Tree, values: ReadonlyMap<string, Tree>, { name: template }: Template): Tree {
    return mapLeaves(body, (leaf) => {
      if (typeof leaf.value !== "string" || !leaf.value.includes("${param:")) return leaf;
      const pieces = splitPieces(leaf.value);
      let unknown = false;
      const filled: Piece[] = [];
      for (const piece of pieces) {
        if (typeof piece === "string" || piece.kind !== "param") {
          filled.push(piece);
          continue;
        }
        const value = values.get(piece.body);
        if (value !== undefined && pieces.length === 1) return value;
        if (value !== undefined) for (const one of this.piecesIn(value, leaf, piece.whole)) filled.push(one);
        else {
          unknown = true;
          this.problems.add(
            getPositionIn(leaf, piece.whole),
            "placeholder",
            `template "${template}" has no parameter "${piece.body}"${formatHint(piece.body, [...values.keys()])}`,
          );
        }
      }
      const value = filled.map((piece) => (typeof piece === "string" ? piece : piece.whole)).join("");
      // Counts the length of the text like parts, since a long parameter may occur in it often.
      this.parts += Math.floor(value.length / 16);
      if (this.parts > MAX_PARTS) return leaf;
      return {
        ...leaf,
        value,
        ...(value.includes("${") ? { pieces: filled } : {}),
        ...(unknown ? { mock: true } : {}),
      };
    });
  }

  /** Returns the pieces of a parameter. Each placeholder keeps its position, which says in which file it is written. */
  private piecesIn(value: Tree, leaf: LeafTree, whole: string): readonly Piece[] {
    const plain = findLeafValue(value);
    if (value.kind === "leaf" && typeof plain === "string")
      return (value.pieces ?? splitPieces(plain)).map((piece) =>
        typeof piece === "string" ? piece : { at: getPositionIn(value, piece.whole), ...piece },
      );
    if (typeof plain !== "object" && plain !== undefined) return [String(plain)];
    const message = `${whole} is part of a string, but its value is ${plain === null ? "empty" : "a list or a map"}: pass a string or a number`;
    this.problems.add(getPositionIn(leaf, whole), "wrong-type", message);
    return [];
  }
}
