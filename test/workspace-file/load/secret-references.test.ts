/** Tests which arguments refer to secrets that the provider reads itself, and what the references are. */
import { describe, expect, it } from "vitest";
import { declared, loaded } from "./loaded.js";

const config = (key: string) => ({ value: `value of ${key}`, secret: key === "hidden" });
const options = { env: { WORKSPACE_VAR_T: "s3cret", WORKSPACE_VAR_N: "7" }, config };
const token = { origin: "env", name: "T" };

/** The action of a type that is not known, which takes any fields. */
const withFields = (fields: string) => {
  const text = `
variables: { A: a }
projects:
  web:
    pipelines:
      p:
        triggerMode: MANUAL
        refName: main
        actions: [{ name: X, triggerTime: ON_EVERY_EXECUTION, ${fields} }]
`;
  return declared(loaded(text, options), "projects/web/pipelines/p/actions/X");
};

const fields = (text: string) => withFields(`type: SOMETHING_NEW, fields: ${text}`);

describe("a reference", () => {
  it("stands for its place in a map or a list, and the rest has its value", () => {
    const { references, secrets } = fields(
      `{ token: "a \${secret:env:T}", more: [one, "\${secret:env:T}", 2, null] }`,
    );
    expect(secrets).toEqual(["fields"]);
    expect(references).toStrictEqual({
      fields: {
        value: { token: "a [secret]", more: ["one", "[secret]", 2, null] },
        references: [
          { ...token, at: ["token"], offset: 2 },
          { ...token, at: ["more", 1], offset: 0 },
        ],
      },
    });
  });

  it("in the short form of an entry is that of its argument", () => {
    const variable = declared(loaded('variables: { A: "${secret:env:T}" }', options), "variables/A");
    expect(variable.secrets).toEqual(["value"]);
    expect(variable.references).toStrictEqual({
      value: { value: "[secret]", references: [{ ...token, at: [], offset: 0 }] },
    });
  });

  it("may be missing where the provider reads it later", () => {
    const text = 'variables: { A: "${secret:env:ABSENT}", B: { value: "${secret:env:ABSENT}" } }';
    const file = loaded(text, { secretsLater: true });
    for (const name of ["variables/A", "variables/B"])
      expect(declared(file, name).references["value"]?.references).toMatchObject([{ name: "ABSENT" }]);
  });
});

it.each([
  ["it has a default", '{ a: "${secret:env:T}", b: ["${secret:env:NONE:-x}"] }'],
  [
    "a part is known after another object was created",
    '{ a: "${secret:env:T}", b: "${ref:variables/A.variableId}" }',
  ],
])("there is no reference where %s", (_why, text) => {
  const { references, secrets } = fields(text);
  expect(secrets).toEqual(["fields"]);
  expect(references).toStrictEqual({});
});

it("only a text can be a reference: a number is read with the file", () => {
  const text =
    'type: HTTP, method: POST, notificationUrl: "https://a.example.com", timeout: "${secret:env:N}"';
  expect(withFields(text)).toMatchObject({ args: { timeout: 7 }, secrets: ["timeout"] });
  expect(withFields(text).references).toStrictEqual({});
});

it("a secret of the configuration is none by itself", () => {
  const variable = declared(
    loaded('variables: { A: "${config:hidden}", B: "${config:open}" }', options),
    "variables/A",
  );
  expect(variable.secrets).toEqual(["value"]);
  expect(variable.references).toStrictEqual({});
});
