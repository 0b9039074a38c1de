/** Tests how files are formatted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { definitions } from "../../provider/index.js";
import { formatYaml } from "../../workspace-file/format/format.js";
import { listCommentsIn } from "../../workspace-file/format/verify.js";
import { parseYaml } from "../../workspace-file/index.js";
import { block } from "./format-support.js";

/** Returns the formatted text; a text that is refused fails the test. */
function formatted(text: string): string {
  const result = formatYaml("workspace.yaml", text, definitions);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.text;
}

const lines = (...all: string[]) => `${all.join("\n")}\n`;

describe("merge keys", () => {
  it("still merge after formatting, and a quoted << retains its quotes", () => {
    const text = lines(
      "version: 1",
      "x-a: &a { b: 1 }",
      "x-c: { <<: *a, d: 2 }",
      "x-e:",
      "  <<: *a",
      'x-f: { "<<": 1 }',
      "x-g:",
      "  '<<': 1",
    );
    expect(formatted(text)).toBe(text);
  });
});

describe("the order of keys", () => {
  it("is that of the reference, while names and lists retain the author's order", () => {
    const text = lines(
      "projects:",
      "  web:",
      "    pipelines:",
      "      z: { actions: [], refName: main, variables: {B: '1', A: '2'}, retain: true, triggerMode: MANUAL }",
      "      a: { triggerMode: MANUAL, refName: main, external: true }",
      "    displayName: Web",
      "variables: { B: b, A: a }",
      "version: 1",
    );
    expect(formatted(text)).toBe(
      lines(
        "version: 1",
        "variables: { B: b, A: a }",
        "",
        "projects:",
        "  web:",
        "    displayName: Web",
        "    pipelines:",
        "      z: { triggerMode: MANUAL, refName: main, retain: true, variables: { B: '1', A: '2' }, actions: [] }",
        "      a: { triggerMode: MANUAL, refName: main, external: true }",
      ),
    );
  });

  it("of an action is that of its type", () => {
    const text = lines(
      "projects:",
      "  web:",
      "    pipelines:",
      "      deploy:",
      "        actions:",
      "          - {commands: [a], port: 22, type: SSH_COMMAND, host: h, name: Restart, key: restart}",
      "          - {template: notify, $after: Restart}",
    );
    expect(formatted(text)).toContain(
      lines(
        "          - { key: restart, name: Restart, type: SSH_COMMAND, commands: [a], host: h, port: 22 }",
        "          - { $after: Restart, template: notify }",
      ),
    );
  });

  it("applies in templates, defaults and overlays, but not in unknown maps", () => {
    const text = lines(
      "templates:",
      "  t:",
      "    entry: { refName: main, triggerMode: MANUAL }",
      "    parameters: { p: { enum: [a], default: a } }",
      "    type: Pipeline",
      "defaults: { Action: { containerImageTag: '22', type: BUILD }, Unknown: { b: 1, a: 2 } }",
      "x-any: { version: 2, b: 1, a: 2 }",
      "projects: { web: { $remove: true, unknown: 1, displayName: W, protect: false } }",
      "include: [b.yaml, a.yaml]",
    );
    const result = formatted(text);
    expect(Object.keys(parse(result) as object)).toEqual([
      "include",
      "x-any",
      "defaults",
      "templates",
      "projects",
    ]);
    expect(result).toContain("entry: { triggerMode: MANUAL, refName: main }");
    expect(result).toContain("p: { default: a, enum: [a] }");
    expect(result).toContain("Action: { type: BUILD, containerImageTag: '22' }, Unknown: { b: 1, a: 2 }");
    expect(result).toContain("x-any: { version: 2, b: 1, a: 2 }");
    expect(result).toContain("web: { $remove: true, displayName: W, unknown: 1, protect: false }");
  });

  it("never places an alias before its anchor", () => {
    const text = lines(
      "projects:",
      "  web: { members: &crew { ann@example.com: { permissionSet: dev } } }",
      "members: *crew",
      "variables: { A: a }",
      "version: 1",
    );
    const result = formatted(text);
    expect(Object.keys(parse(result) as object)).toEqual(["version", "variables", "projects", "members"]);
    expect(parse(result)).toEqual(parse(text));
  });

  it("does not confuse two anchors of the same name", () => {
    const text = lines(
      "variables: { A: &v a, B: *v }",
      "projects: { web: { displayName: &v b } }",
      "members: { x: *v }",
    );
    expect(parse(formatted(text))).toEqual(parse(text));
  });
});

describe("comments", () => {
  it("stay with their key", () => {
    const text = lines(
      "# yaml-language-server: $schema=./workspace.schema.json",
      "# the shops",
      "projects: # all of them",
      "  web:",
      "    # its pipelines",
      "    pipelines: {} # none yet",
      "    # shown to people",
      "    displayName: Web",
      "    # later: members",
      "  # of projects",
      "# of the file",
      "version: 1 # always",
      "# the end",
    );
    expect(formatted(text)).toBe(
      lines(
        "# yaml-language-server: $schema=./workspace.schema.json",
        "",
        "# of the file",
        "version: 1 # always",
        "",
        "# the shops",
        "projects: # all of them",
        "  web:",
        "    # shown to people",
        "    displayName: Web",
        "    # its pipelines",
        "    pipelines: {} # none yet",
        "    # later: members",
        "  # of projects",
        "# the end",
      ),
    );
  });

  it("before an item of a list stay before the item", () => {
    const actions = [
      "# first build",
      "- type: BUILD # inline",
      "  name: Build",
      "# then tell",
      "- name: Tell",
    ];
    const text = lines(
      "projects:",
      "  web:",
      "    pipelines:",
      "      p:",
      "        actions:",
      ...actions.map((l) => `          ${l}`),
    );
    const result = formatted(text);
    expect(result).toContain(
      lines(
        "          # first build",
        "          - name: Build",
        "            type: BUILD # inline",
        "          # then tell",
      ),
    );
  });
});

describe("values", () => {
  it("retain their style", () => {
    const text = lines(
      "version: 1",
      "variables:",
      "  A: 'single'",
      '  B: "double \\u00e9"',
      "  C: 0x1F",
      "  D: 1.10",
      "  E: |",
      "    # no comment",
      "      deeper",
      "  F: >-",
      "    folded",
      "    text",
      "  G: ~",
      "  H: plain ${env:X:-y} text",
      "  I: |+",
      "    kept",
      "",
      "  J: last",
    );
    expect(formatted(text)).toBe(text.replace("version: 1\n", "version: 1\n\n"));
  });

  it("are split over several lines when they are long", () => {
    const commands = Array.from({ length: 12 }, (_, i) => `npm run step-${i}`);
    const text = lines("x-commands:", `    list: [${commands.join(", ")}]`);
    expect(formatted(text)).toBe(lines("x-commands:", "  list:", ...commands.map((c) => `    - ${c}`)));
  });
});

describe("a file", () => {
  it("retains its line endings, its byte order mark and a missing final newline", () => {
    expect(formatted("workspace: a\r\nversion: 1\r\n")).toBe("version: 1\r\nworkspace: a\r\n");
    expect(formatted("\uFEFFworkspace: a\nversion: 1")).toBe("\uFEFFversion: 1\nworkspace: a");
    expect(formatted("")).toBe("");
    expect(formatted("# nothing but this\n")).toBe("# nothing but this\n");
  });

  it.each([
    ["version: 1\nprojects: {web: [}\n", 2],
    ["version: 1\nversion: 1\n", 2],
    ["members: *nobody\nversion: 1\n", 1],
    ["version: 1\n---\nversion: 1\n", 2],
    ["- a\n", 1],
    ["a: ".repeat(3000), 1],
    [`x: ${"[".repeat(20_000)}`, 1],
  ])("with an error is refused with the line (case %$)", (text, line) => {
    const result = formatYaml("workspace.yaml", text, definitions);
    expect(result).toHaveProperty(["problems", 0, "place", "line"], line);
    // The diagnostics are the same as those of the parser.
    const { problems } = parseYaml("workspace.yaml", text);
    if (problems.length > 0) expect(result).toEqual({ problems });
  });
});

describe("any file", () => {
  it("is equivalent after formatting, with all its comments, and formatting it again changes nothing", () => {
    fc.assert(
      fc.property(block(3), (written) => {
        const text = lines(...written);
        const once = formatted(text);
        expect(formatted(once)).toBe(once);
        expect(parse(once)).toEqual(parse(text));
        expect(listCommentsIn(once)).toEqual(listCommentsIn(text));
      }),
      { numRuns: 100 },
    );
  });
});
