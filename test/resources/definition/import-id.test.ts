/** Tests the ids with which existing objects are imported. */
import { describe, expect, it } from "vitest";
import { type Definition, definitions, getDefinition } from "../../../provider/index.js";
import {
  importForms,
  importFormText,
  importId,
  listScopes,
  parseImportId,
} from "../../../resources/definition/import-id.js";

describe.each(definitions.filter((one) => importForms(one).length > 0))(
  "an import id of a $type",
  (definition) => {
    it.each(importForms(definition).map((form) => [importFormText(form), form] as const))(
      "%s",
      (_text, form) => {
        const state = Object.fromEntries(form.map((part, index) => [part, value(part, index)]));
        const id = importId(definition, "acme", state);
        expect(parseImportId(definition, id)).toMatchObject({
          ...innermost(definition, state),
          workspace: "acme",
        });
      },
    );

    /** Returns a number, or a text with characters that an id encodes. */
    function value(part: string, index: number): string | number {
      return part.endsWith("Id") && part !== "projectId" ? index + 1 : `a/b %${index}`;
    }
  },
);

it("an import id names the parents of an object even if its Pulumi id does not", () => {
  const action = getDefinition("Action");
  expect(importForms(action).map(importFormText)).toEqual(["<workspace>/<project>/<pipelineId>/<actionId>"]);
  expect(parseImportId(action, "acme/web/7/12")).toEqual({
    workspace: "acme",
    project: "web",
    pipelineId: 7,
    pipeline: 7,
    actionId: 12,
  });
});

it("an import id of a variable may omit the inner scopes", () => {
  const variable = getDefinition("Variable");
  expect(parseImportId(variable, "acme/3")).toEqual({ workspace: "acme", variableId: 3 });
  expect(parseImportId(variable, "acme/web/3")).toMatchObject({ project: "web", variableId: 3 });
  expect(parseImportId(variable, "acme/web/7/3")).toMatchObject({
    pipeline: 7,
    pipelineId: 7,
    variableId: 3,
  });
});

it("an import id of a file contains its path as it is, and no branch for the default branch", () => {
  const file = getDefinition("RepositoryFile");
  expect(parseImportId(file, "acme/web/main/docs/readme.md")).toMatchObject({
    branch: "main",
    path: "docs/readme.md",
  });
  expect(parseImportId(file, "acme/web//docs%2Freadme.md")).toEqual({
    workspace: "acme",
    project: "web",
    path: "docs/readme.md",
  });
});

it.each([
  ["Pipeline", "web", "<workspace>/<project>/<pipelineId>"],
  ["Pipeline", "acme/web/deploy", "<workspace>/<project>/<pipelineId>"],
  ["Pipeline", "acme/web/7/8", "<workspace>/<project>/<pipelineId>"],
  ["Group", "acme/%E0", "<workspace>/<groupId>"],
  ["Project", "/web", "<workspace>/<projectName>"],
  ["Variable", "acme", "<workspace>/<variableId> or <workspace>/<project>/<variableId>"],
])("refuses %s %s and lists the valid forms", (type, id, forms) => {
  expect(() => parseImportId(getDefinition(type), id)).toThrow(forms);
});

it.each(["Execution", "SandboxRestart", "OAuthClient"])("a %s has no import id", (type) => {
  expect(importForms(getDefinition(type))).toEqual([]);
  expect(() => parseImportId(getDefinition(type), "acme/1")).toThrow("cannot be imported");
});

/** Of what an object may stand in, the innermost says it all. */
function innermost(definition: Definition, state: Readonly<Record<string, unknown>>) {
  const optional = listScopes(definition).filter(({ part, required }) => !required && part in state);
  const outer = optional.slice(0, -1).map(({ part }) => part);
  return Object.fromEntries(Object.entries(state).filter(([part]) => !outer.includes(part)));
}
