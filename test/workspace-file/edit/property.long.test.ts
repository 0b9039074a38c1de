/**
 * Applies random edits to random documents with comments, anchors, templates and quotes: the declarations are
 * as requested, and everything else is unchanged.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameJson } from "../../../diff/values.js";
import { type Edit, editWorkspace } from "../../../workspace-file/edit/edit.js";
import { listCommentsIn } from "../../../workspace-file/format/verify.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";

const keys = ["alpha", "beta", "gamma", "delta"] as const;
const text = fc.oneof(
  fc.constantFrom(
    "plain",
    "with: colon",
    "# no comment",
    "'quoted'",
    '"double"',
    "22",
    "true",
    "null",
    "",
    " lead",
    "a\nb\n",
    "a\n\n",
    "${HOME}",
    "${env:X}",
    "*x",
    "- item",
    "tab\tin",
    "é ü",
    "x #y",
    "{a}",
    "[b]",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((s) => !s.includes("\r")),
);
const words = text.filter((s) => s !== "");

/** Generates texts in the styles of an author. */
const written = fc
  .tuple(fc.constantFrom("plain", "safe", "it is", "a/b", "v1"), fc.constantFrom("", "'", '"'))
  .map(([t, q]) => `${q}${t}${q}`);
/** Generates texts of several lines, with their indentation. */
const block = fc
  .tuple(
    fc.constantFrom("|-", "|", "|+", ">-", ">"),
    fc.constantFrom(["one", "two"], ["- a", "", "b: c"], ["# x", "y "], ["  deep", "er"], ["last", "", ""]),
  )
  .map(([style, lines]) => (indent: string, end: string) => {
    const head = lines[0]?.startsWith(" ") ? style.replace(/[|>]/, "$&2") : style;
    return [head + end, ...lines.map((line) => (line === "" ? "" : indent + line))].join("\n");
  });
const comment = fc.constantFrom("", " # kept", "   # far", " #x");
const above = (indent: string) =>
  fc.constantFrom("", `${indent}# about this\n`, `\n${indent}# parted\n\n`, "\n");

const group = fc.record({
  description: fc.option(written),
  block: fc.option(block),
  members: fc.constantFrom(undefined, "[ann@example.com]", "*people"),
  style: fc.constantFrom("block", "flow", "null", "alias"),
  comment,
  above: above("  "),
});
const action = fc.record({
  style: fc.constantFrom("block", "flow"),
  commands: fc.array(fc.oneof({ weight: 2, arbitrary: written }, block), { minLength: 1, maxLength: 3 }),
  comment,
  above: above("          "),
});

type Written<A> = A extends fc.Arbitrary<infer T> ? T : never;

interface Parts {
  readonly groups: readonly Written<typeof group>[];
  readonly actions: readonly Written<typeof action>[];
}

const document = fc
  .record({
    groups: fc.array(group, { minLength: 1, maxLength: 4 }),
    actions: fc.array(action, { minLength: 1, maxLength: 4 }),
    templated: fc.boolean(),
  })
  .map(({ groups, actions, templated }) => textOf({ groups, actions }, templated));

function textOf({ groups, actions }: Parts, templated: boolean): string {
  const groupText = groups.map(
    ({ description, block, members, style, comment: end, above: before }, index) => {
      const several =
        style === "block" && block !== null ? `description: ${block("      ", end)}` : undefined;
      const single = description === null ? undefined : `description: ${description}${end}`;
      const fields = [several ?? single, members && `members: ${members}${end}`].filter(
        (one) => one !== undefined,
      );
      const key = keys[index] ?? "";
      if (style === "alias" && index > 0) return `${before}  ${key}: *base${end}\n`;
      if (style === "null" || fields.length === 0) return `${before}  ${key}:${end}\n`;
      if (style === "flow")
        return `${before}  ${key}: { ${fields.map((one) => one.replace(end, "")).join(", ")} }${end}\n`;
      return `${before}  ${key}:${end}\n${fields.map((f) => `    ${f}\n`).join("")}`;
    },
  );
  const actionText = actions.map(({ style, commands, comment: end, above: before }, index) => {
    const fields = [
      `name: ${keys[index]}`,
      "type: BUILD",
      "triggerTime: ON_EVERY_EXECUTION",
      "containerImageName: node",
      'containerImageTag: "22"',
    ];
    if (style === "flow") {
      const own = commands.map((one) => (typeof one === "string" ? one : '"several\\nlines"'));
      return `${before}          - { ${[...fields, `executeCommands: [${own.join(", ")}]`].join(", ")} }${end}\n`;
    }
    const items = commands.map((one) =>
      typeof one === "string" ? `${one}${end}` : one("                ", end),
    );
    const lines = [...fields, "executeCommands:", ...items.map((one) => `  - ${one}`)];
    return `${before}          - ${lines.join("\n            ")}\n`;
  });
  const template = templated
    ? "templates:\n  small:\n    type: Pipeline\n    entry: { triggerMode: MANUAL, refType: BRANCH, refName: main, actions: [] } # a template\n"
    : "";
  return `version: 1 # head
x-people: &people [ann@example.com] # anchored
x-base: &base { description: A team }
${template}members:
  ann@example.com: { admin: true }
groups:
${groupText.join("")}variables:
  PLAIN: one # the first
  QUOTED: 'two'
projects:
  web:
    pipelines:
      deploy:${template ? "\n        template: small" : "\n        triggerMode: MANUAL\n        refType: BRANCH\n        refName: main"} # how
        actions:
${actionText.join("")}# the end
`;
}

const pipeline = "projects/web/pipelines/deploy";
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    set: fc.record({
      name: fc.constantFrom(...keys.map((k) => `groups/${k}`)),
      path: fc.constant(["description"]),
      value: text,
    }),
  }),
  fc.record({
    set: fc.record({
      name: fc.constantFrom("variables/PLAIN", "variables/QUOTED"),
      path: fc.constant(["value"]),
      value: words,
    }),
  }),
  fc.record({
    set: fc.record({
      name: fc.constantFrom(...keys.map((k) => `${pipeline}/actions/${k}`)),
      path: fc.constant(["executeCommands"]),
      value: fc.array(words, { minLength: 1, maxLength: 4 }),
    }),
  }),
  fc.record({
    set: fc.record({ name: fc.constant(pipeline), path: fc.constant(["refName"]), value: words }),
  }),
  fc.record({
    unset: fc.record({
      name: fc.constantFrom(...keys.map((k) => `groups/${k}`)),
      path: fc.constant(["description"]),
    }),
  }),
  fc.record({
    remove: fc.record({
      name: fc.constantFrom(
        ...keys.flatMap((k) => [`groups/${k}`, `${pipeline}/actions/${k}`]),
        "variables/PLAIN",
      ),
    }),
  }),
  fc
    .record({
      add: fc.record({
        name: fc.constantFrom("groups/new", "variables/NEW", "groups/alpha/members/ann@example.com"),
        entry: fc.constant({}),
      }),
    })
    .map(({ add }) => ({ add: add.name === "variables/NEW" ? { ...add, entry: { value: "x" } } : add })),
  fc.record({
    add: fc.record({
      name: fc.constant(`${pipeline}/actions/new`),
      entry: fc.record({
        type: fc.constant("OTHER"),
        triggerTime: fc.constant("ON_EVERY_EXECUTION"),
        fields: fc.dictionary(fc.constantFrom("a", "b c"), text),
      }),
      after: fc.constantFrom(null, "alpha", "beta"),
    }),
  }),
);

const folder = mkdtempSync(join(tmpdir(), "edits-"));
const file = join(folder, "workspace.yaml");
const options = { env: {} };

/** Returns the arguments by logical name. */
function declared(of: string): Map<string, unknown> {
  writeFileSync(file, of);
  return new Map(
    readDeclarations(file, options).declarations.map(({ name, args }) => [
      name,
      JSON.parse(JSON.stringify(args)) as unknown,
    ]),
  );
}

function changedNames(before: Map<string, unknown>, after: Map<string, unknown>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isSameJson(sorted(before.get(name)), sorted(after.get(name))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => v !== null)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

describe("random edits of random documents", () => {
  it("change what they should and nothing else, and have no effect when repeated", () => {
    fc.assert(
      fc.property(document, edit, (before, one) => {
        const old = declared(before);
        const result = editWorkspace(file, options, [one]);
        const after = result.files[0]?.after ?? before;
        const fresh = declared(after);
        const [target] = Object.values(one) as [{ name: string; path?: string[]; value?: unknown }];
        const made = result.made.length === 1;
        const order = `${pipeline}/actionOrder`;
        const allowed = changedNames(old, fresh).filter(
          (name) => name !== target.name && name !== order && !name.startsWith(`${target.name}/`),
        );
        expect(allowed).toEqual([]);
        if (made && "set" in one) {
          const args = fresh.get(target.name) as Record<string, unknown>;
          expect(args[target.path?.[0] ?? ""]).toEqual(target.value);
        }
        if (made && "unset" in one)
          expect((fresh.get(target.name) as Record<string, unknown>)["description"] ?? null).toBeNull();
        if (made && "add" in one) expect(fresh.has(target.name)).toBe(true);
        if (made && "remove" in one) expect(fresh.has(target.name)).toBe(false);
        if (!made) expect(after).toBe(before);
        expect(result.refused.map(({ reason }) => reason)).not.toContain(
          "its form does not allow changing it separately",
        );
        // No comment is added, and none is lost except those of removed entries.
        const [had, has] = [listCommentsIn(before), listCommentsIn(after)];
        if ("add" in one || typeof target.value === "string") expect(has).toEqual(had);
        expect(has.every((c) => had.includes(c))).toBe(true);
        if ("remove" in one) expect(had.length - has.length).toBeLessThanOrEqual(6);
        // Unrelated lines are unchanged, in their order.
        expect(isMostlyKept(before, after)).toBe(true);
        if (made && !("add" in one) && !("remove" in one))
          expect(editWorkspace(file, options, [one]).files).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it("have the same effect together as one by one", () => {
    fc.assert(
      fc.property(document, fc.array(edit, { minLength: 2, maxLength: 5 }), (before, edits) => {
        declared(before);
        const { files, made, refused } = editWorkspace(file, options, edits);
        expect(made.length + refused.length).toBe(edits.length);
        const together = declared(files[0]?.after ?? before);
        for (const { edit: one } of made) {
          const [{ name }] = Object.values(one) as [{ name: string }];
          const removed = made.some(({ edit: other }) => "remove" in other && other.remove.name === name);
          if (!removed) expect(together.has(name)).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** Checks that at most the lines of one entry differ. */
function isMostlyKept(before: string, after: string): boolean {
  const left = after.split("\n");
  const gone = before.split("\n").filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return gone.length <= 18;
}
