/** Tests references to secrets next to the arguments of an object. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutMarks } from "../../../diff/values.js";
import { MASK } from "../../../provider/index.js";
import {
  buildReferringInputs,
  createReferringText,
  fillReferences,
  listReferences,
  type ReferringValue,
  SECRET_REFERENCES,
  withReferences,
} from "../../../resources/definition/secrets/references.js";
import type { OpenedReference, SecretReference } from "../../../trust/references.js";

const token: SecretReference = { origin: "env", name: "TOKEN" };
const known: Readonly<Record<string, string>> = {
  "env TOKEN": "s3cret",
  "file key.txt": "key",
  "config ns:k": "$&",
};

function open({ origin, name }: SecretReference): OpenedReference {
  const secret = known[`${origin} ${name}`];
  return secret === undefined ? { closed: `${name} is not set` } : { secret };
}

const bare = (props: Record<string, unknown>) => withoutMarks(props) as Record<string, unknown>;

describe("an argument with references", () => {
  it("is filled with the secrets of all sources, at any depth", () => {
    const header = createReferringText(["Bearer ", token, "!"], [0, "value"]);
    const key = createReferringText(
      [
        { origin: "file", name: "key.txt" },
        { origin: "config", name: "ns:k" },
      ],
      [1],
    );
    const value: ReferringValue = {
      value: [{ name: "X", value: header.value }, key.value],
      references: [...header.references, ...key.references],
    };
    expect(value.value).toEqual([{ name: "X", value: `Bearer ${MASK}!` }, `${MASK}${MASK}`]);
    expect(fillReferences(value, open)).toEqual({
      value: [{ name: "X", value: "Bearer s3cret!" }, "key$&"],
      secrets: ["key", "$&", "s3cret"],
      closed: [],
    });
  });

  it("keeps [secret] where a secret is missing, and says why", () => {
    const value = createReferringText(["a ", { origin: "env", name: "ABSENT" }, " b ", token], []);
    expect(fillReferences(value, open)).toEqual({
      value: `a ${MASK} b s3cret`,
      secrets: ["s3cret"],
      closed: ["ABSENT is not set"],
    });
  });

  it("becomes the parts that it was made of, whatever texts and secrets contain", () => {
    const text = fc
      .array(fc.constantFrom(MASK, "[", "secret]", "${secret:env:TOKEN}", "$${", "$", "{", "}", "a", "$&"))
      .map((parts) => parts.join(""));
    const part = fc.oneof(text, fc.constantFrom<SecretReference>(token, { origin: "config", name: "ns:k" }));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const value = createReferringText(parts, []);
        const [props] = [buildReferringInputs({ value })].map(bare);
        expect(listReferences(props!)["value"] ?? []).toEqual(value.references);
        const filled = fillReferences({ value: props?.["value"], references: value.references }, open);
        const expected = parts.map((one) =>
          typeof one === "string" ? one : known[`${one.origin} ${one.name}`],
        );
        expect(filled.value).toBe(expected.join(""));
        expect(filled.secrets).toHaveLength(parts.filter((one) => typeof one === "object").length);
      }),
    );
  });

  it.each<[string, unknown, readonly (string | number)[], number]>([
    ["a text without [secret] there", "text", [], 0],
    ["another place of the text", `a ${MASK}`, [], 0],
    ["a path that leads nowhere", { a: MASK }, ["b"], 0],
    ["a prototype", {}, ["__proto__", "toString"], 0],
    ["a list without that item", [MASK], [1], 0],
    ["a list by a text", [MASK], ["0"], 0],
    ["a number", 1, [], 0],
    ["a negative place", MASK, [], -1],
  ])("opens nothing where a reference does not fit: %s", (_case, value, at, offset) => {
    const opened: unknown[] = [];
    const filled = fillReferences({ value, references: [{ ...token, at, offset }] }, (one) => {
      opened.push(one);
      return { secret: "s3cret" };
    });
    expect(opened).toEqual([]);
    expect(filled.value).toEqual(value);
    expect(filled.closed).toHaveLength(1);
  });

  it("is not one because its data looks like it", () => {
    const data = { at: [], offset: 0, origin: "env", name: "TOKEN" };
    for (const fields of [
      { [SECRET_REFERENCES]: { value: [data] } },
      { value: MASK, [SECRET_REFERENCES]: { value: [data] } },
      { [SECRET_REFERENCES]: ["value"], value: "${secret:env:TOKEN}" },
    ])
      expect(listReferences({ fields, services: [fields] })).toEqual({});
  });

  it.each([
    ["a text", "value"],
    ["a list of something else", [1]],
    ["another origin", { value: [{ at: [], offset: 0, origin: "http", name: "x" }] }],
    ["a missing argument", { other: [{ at: [], offset: 0, origin: "env", name: "x" }] }],
  ])("has no references in %s", (_case, references) => {
    expect(listReferences(withReferences({ value: MASK, [SECRET_REFERENCES]: references }))).toEqual({});
  });
});

describe("the templates of earlier releases", () => {
  it("become arguments with references", () => {
    const earlier = {
      name: "Hook",
      headers: [{ name: "X", value: "Bearer ${secret:env:TOKEN} $${literal}" }, "${secret:file:key.txt}"],
      [SECRET_REFERENCES]: ["headers", "absent", 7],
    };
    const props = bare(withReferences(earlier));
    expect(props["headers"]).toEqual([{ name: "X", value: `Bearer ${MASK} \${literal}` }, MASK]);
    expect(listReferences(props)).toEqual({
      headers: [
        { at: [0, "value"], offset: 7, ...token },
        { at: [1], offset: 0, origin: "file", name: "key.txt" },
      ],
    });
    expect(withReferences(props)).toEqual(props);
  });

  it("restore every other text", () => {
    const part = fc.constantFrom("$", "{", "}", "secret:env:TOKEN", "$${", "${secret:env:TOKEN}", "a");
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join("");
        const escaped = text.replaceAll("${", () => "$${");
        const props = bare(withReferences({ value: escaped, [SECRET_REFERENCES]: ["value"] }));
        expect(props["value"]).toBe(text);
        expect(listReferences(props)).toEqual({});
      }),
    );
  });
});
