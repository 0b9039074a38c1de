/** Tests how a composed document is shown: secrets as the placeholders that they come from, or masked. */
import { describe, expect, it } from "vitest";
import {
  type LoadOptions,
  renderComposed,
  withoutPlacedSecrets,
  withoutSecrets,
} from "../../../workspace-file/load/load.js";
import { getValue } from "../../../workspace-file/syntax/tree.js";
import { loaded } from "./loaded.js";

const options: LoadOptions = {
  env: { WORKSPACE_VAR_T: "s3cret", WORKSPACE_VAR_OPEN: "open" },
  config: (key) => ({ value: `value of ${key}`, secret: key === "hidden" }),
};

/** The document in each of the three forms: rendered, without secrets, and without those of placeholders. */
function shown(text: string, more: LoadOptions = {}) {
  const file = loaded(text, { ...options, ...more });
  const { version, ...rendered } = renderComposed(file) as Record<string, unknown>;
  expect(version).toBe(1);
  const [hidden, literal] = [withoutSecrets(file), withoutPlacedSecrets(file)].map((tree) => {
    const { version: _version, ...value } = getValue(tree) as Record<string, unknown>;
    return value;
  });
  return { rendered, hidden, literal };
}

const everywhere = (value: unknown) => ({ rendered: value, hidden: value, literal: value });

describe("a document without its secrets", () => {
  it.each([
    ["${secret:env:T}", "${secret:env:T}"],
    ["a ${secret:env:T}", "a ${secret:env:T}"],
    ["${config:hidden}", "${config:hidden}"],
    ["${ref:groups/QA.groupId}", "${ref:groups/QA.groupId}"],
    ["${env:OPEN}", "open"],
    ["${config:open}", "value of open"],
  ])("has %s as %s", (written, value) => {
    const text = `variables: { A: "${written}", B: { value: "${written}" } }\ngroups: { QA: {} }`;
    const variables = { A: value, B: { value } };
    expect(shown(text)).toEqual(everywhere({ variables, groups: { QA: {} } }));
  });

  it("has placeholders whose values are not known as they are written", () => {
    const value = "${env:NONE} ${config:none}";
    expect(shown(`variables: { A: "${value}" }`, { mock: true, config: () => undefined })).toEqual(
      everywhere({ variables: { A: value } }),
    );
  });

  it("keeps all other values, of any kind", () => {
    const groups = { QA: { description: "a", retain: true, members: [7, 8] } };
    expect(shown(`groups: ${JSON.stringify(groups)}`)).toEqual(everywhere({ groups }));
  });

  it("escapes a text again only where the result is a document", () => {
    const text = 'variables: { A: "$${env:T}" }';
    expect(shown(text)).toEqual({
      rendered: { variables: { A: "$${env:T}" } },
      hidden: { variables: { A: "${env:T}" } },
      literal: { variables: { A: "${env:T}" } },
    });
  });
});

describe("a secret that is written out", () => {
  const masked = (value: unknown, literal: unknown) => ({ rendered: value, hidden: value, literal });

  it("is masked, except for lint rules", () => {
    const variables = (value: string) => ({
      A: { value, encrypted: true, description: "open" },
      // The name says what it is; the short form is the value itself.
      API_TOKEN: value,
      REGION: "us",
    });
    expect(shown(`variables: ${JSON.stringify(variables("hunter2"))}`)).toEqual(
      masked({ variables: variables("[secret]") }, { variables: variables("hunter2") }),
    );
  });

  it("is masked in an item of a list, and all around it stays", () => {
    const projects = (fields: unknown) => ({
      web: {
        pipelines: {
          p: {
            triggerMode: "MANUAL",
            refName: "main",
            actions: [
              { name: "A", type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "a" },
              { name: "X", type: "SOMETHING_NEW", triggerTime: "ON_EVERY_EXECUTION", fields },
            ],
          },
        },
      },
    });
    const given = { token: "${secret:env:T}", of: ["a", 7, null, { b: true }] };
    const without = { token: "${secret:env:T}", of: ["[secret]", "[secret]", null, { b: "[secret]" }] };
    expect(shown(`projects: ${JSON.stringify(projects(given))}`)).toEqual(
      masked({ projects: projects(without) }, { projects: projects(given) }),
    );
  });
});
