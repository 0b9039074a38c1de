/** Tests what is a placeholder in a text, what it stands for, and where a problem with it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  escapePlaceholders,
  fillPlaceholders,
  splitPieces,
} from "../../../workspace-file/compose/placeholders.js";
import { type LoadOptions, renderComposed } from "../../../workspace-file/load/load.js";
import { parseYaml } from "../../../workspace-file/syntax/parse.js";
import type { Tree } from "../../../workspace-file/syntax/tree.js";
import { declared, loaded, problemsOf } from "../load/loaded.js";

const variable = (text: string) => `variables:\n  A: ${JSON.stringify(text)}`;
const fileWith = (text: string, options: LoadOptions = {}) => loaded(variable(text), options);
const problemsIn = (text: string, options: LoadOptions = {}) =>
  problemsOf(variable(text), options).map((line) => line.replace(/^3:\d+: /, ""));
const valueOf = (text: string, options: LoadOptions = {}) =>
  declared(fileWith(text, options), "variables/A").args["value"];

describe("a text", () => {
  const kindsIn = (text: string) =>
    splitPieces(text).map((piece) =>
      typeof piece === "string"
        ? piece
        : { [piece.kind]: piece.body, ...(piece.secret ? { secret: true } : {}) },
    );

  it("has placeholders and what is between them", () => {
    expect(kindsIn("")).toEqual([]);
    expect(kindsIn("a ${env:X}${file:a.txt} b")).toEqual(["a ", { env: "X" }, { file: "a.txt" }, " b"]);
    expect(kindsIn("${env: X }")).toEqual([{ env: "X" }]);
    expect(kindsIn("$${env:X} $${file:a}${env:Y}")).toEqual(["${env:X} ${file:a}", { env: "Y" }]);
    expect(kindsIn("$$${env:X}")).toEqual(["$${env:X}"]);
  });

  it("has secret placeholders, whose kind follows", () => {
    expect(kindsIn("${secret:env:X}${secret: config : k }")).toEqual([
      { env: "X", secret: true },
      { config: "k", secret: true },
    ]);
    expect(kindsIn("${secret:X}${secret:ref:a.b}")).toEqual([{ secret: "X" }, { secret: "ref:a.b" }]);
    expect(kindsIn("${config:env:X}")).toEqual([{ config: "env:X" }]);
  });

  it("leaves what only a shell can mean, and no other unknown kind", () => {
    expect(kindsIn("${v:0:3}${v:-x}")).toEqual(["${v:0:3}${v:-x}"]);
    for (const text of ["$${a} $${", "/tmp/run.$$${SUFFIX:-0}", "$${HOSTNAME}", "$$$$${x}", "$${v:-x}"])
      expect(kindsIn(text)).toEqual([text]);
    expect(kindsIn("${v:a}")).toEqual([{ v: "a" }]);
    expect(kindsIn("${v:1a}")).toEqual([{ v: "1a" }]);
  });

  it("is the same after it was escaped and filled", () => {
    expect(escapePlaceholders("${HOME} $5")).toBe("${HOME} $5");
    expect(escapePlaceholders("")).toBe("");
    expect(escapePlaceholders("${HOME} ${env:X}")).toBe("${HOME} $${env:X}");
    const part = fc.constantFrom("$", "{", "}", "$${", "${env:X}", "${a}", "env:", "x", " ");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = parts.join("");
        const escaped = escapePlaceholders(text);
        expect(splitPieces(escaped)).toEqual(text === "" ? [] : [text]);
      }),
    );
  });
});

describe("a placeholder", () => {
  it.each([
    ["${env:}", "this placeholder needs the name of an environment variable, such as ${env:NAME}"],
    ["${env::-x}", "this placeholder needs the name of an environment variable, such as ${env:NAME}"],
    ["${config:}", "this placeholder needs a key of the stack's configuration, such as ${config:api-key}"],
    ["${ref:web}", "this placeholder needs an object and one of its outputs"],
    ["${ref:.web}", "this placeholder needs an object and one of its outputs"],
    ["${ref:web.}", "this placeholder needs an object and one of its outputs"],
    ["${env:A${env:B}}", "a placeholder cannot contain another one: write the inner value itself"],
    ["${constructor:x}", '"${constructor:x}" is not a placeholder: they are env, config, file, ref'],
  ])("%s is refused", (text, message) => {
    expect(problemsIn(text)).toEqual([expect.stringContaining(message)]);
  });

  it("has spaces around its name, but not around its default, if any", () => {
    const env = { WORKSPACE_VAR_NAME: "x" };
    expect(valueOf("${env: NAME }", { env })).toBe("x");
    expect(valueOf("${env: NONE :- y }", { env })).toBe(" y");
  });

  it("of the configuration must have a value, and is secret if that is", () => {
    const of = (value: string, secret = false): LoadOptions => ({ config: () => ({ value, secret }) });
    expect(problemsIn("${config:key}", of(""))).toEqual([
      expect.stringContaining("the stack's configuration key is empty"),
    ]);
    const secrets = (options: LoadOptions) => fileWith("${config:key}", options).declarations[0]?.secrets;
    expect(secrets(of("x"))).toEqual([]);
    expect(secrets(of("x", true))).toEqual(["value"]);
  });

  it("is shown where it is, each time", () => {
    expect(problemsOf(variable("${env:X} ${env:X}")).map((line) => line.slice(0, 5))).toEqual([
      "3:7: ",
      "3:16:",
    ]);
  });

  it("that is written with escapes of YAML is shown where its text begins", () => {
    const text = 'variables:\n  A: "\\u0024{env:X}"\n  B: "${env:X}"';
    expect(problemsOf(text).map((line) => line.slice(0, 4))).toEqual(["3:6:", "4:7:"]);
  });

  it("of a template keeps its place in the parameter, and its form when the document is shown", () => {
    const using = (parameter: string, body = "is ${param:a}") =>
      `templates: { t: { type: Group, parameters: { a: {} }, entry: { description: "${body}" } } }
groups:
  QA: { template: t, with: { a: "${parameter}" } }`;
    expect(problemsOf(using("x ${env:X}"))).toEqual([
      expect.stringMatching(/^4:36: WORKSPACE_VAR_X is not set/),
    ]);
    const shown = (text: string) => {
      const { groups } = renderComposed(loaded(text, { env: { WORKSPACE_VAR_X: "value" } })) as {
        groups: { QA: { description: unknown } };
      };
      return groups.QA.description;
    };
    expect(shown(using("${secret:env:X}"))).toBe("is ${secret:env:X}");
    expect(shown(using("a ${secret:env:X}", "$${env:Y} ${param:a} ${HOME}"))).toBe(
      "$${env:Y} a ${secret:env:X} ${HOME}",
    );
    // No text has a dollar sign before a placeholder.
    expect(shown(using("${secret:env:X}", "$${param:a}$${"))).not.toContain("value");
  });
});

describe("all placeholders of a file", () => {
  it("expand to 16 MB of text at most, which is reported once", () => {
    const { tree } = parseYaml(
      "a.yaml",
      'a: "${config:x}"\nb: "${config:x}"\nc: "${config:x}"\nd: "${env:Y}"',
    );
    const { problems } = fillPlaceholders(tree as Tree, {
      env: {},
      config: () => ({ value: "x".repeat(9 * 1024 * 1024), secret: false }),
      secretConfig: () => false,
      readFile: () => "",
      mock: { env: false, config: false },
      secretsLater: false,
      pathTo: (path) => path,
    });
    expect(problems.map(({ place, message }) => `${place.line}: ${message}`)).toEqual([
      "2: the placeholders up to here expand to more than 16 MB of text: remove some",
    ]);
  });
});

describe("a text with a meaning for Pulumi's engine", () => {
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const signature = "4dabf18193072939515e22adb298388d";

  it("is refused as a value, in a list and as a key", () => {
    expect(problemsOf(variable(unknown))).toEqual([
      `3:6: "${unknown}" stands for a value that is not known yet in Pulumi's engine: use another string`,
    ]);
    expect(problemsOf(`groups: { QA: { members: [${unknown}] } }`)[0]).toMatch(/^2:27: .* stands for/);
    expect(problemsOf(`groups: { ${unknown}: {} }`)).toEqual([expect.stringMatching(/^2:11: .* stands for/)]);
    expect(problemsOf(`groups: { ${signature}: {} }`)).toEqual([
      `2:11: "${signature}" stands for a secret or a file in Pulumi's engine: use another string`,
    ]);
  });

  it("is reported once if several entries share it", () => {
    const shared = `groups: { A: &a { description: ${unknown} }, B: *a }`;
    expect(problemsOf(shared)).toHaveLength(1);
  });

  it("is allowed as a part of another text", () => {
    expect(valueOf(`a ${unknown}`)).toBe(`a ${unknown}`);
    expect(valueOf(signature)).toBe(signature);
  });
});
