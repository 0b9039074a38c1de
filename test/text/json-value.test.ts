/** Tests text/json-value.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSecret, HIDDEN, UNKNOWN } from "../../diff/values.js";
import { fromJson, jsonValue, SecretValue, toJson } from "../../text/json-value.js";

describe("values in reports", () => {
  it("have marks for what is secret or not known, at any depth", () => {
    const value = { a: [UNKNOWN, HIDDEN], b: asSecret("x"), c: new SecretValue("hmac:1"), d: undefined };
    expect(toJson(value)).toEqual({
      a: [{ $unknown: true }, { $secret: true }],
      b: { $secret: true },
      c: { $secret: "hmac:1" },
    });
    expect(toJson(undefined)).toBeNull();
  });

  it("never take data for a mark", () => {
    expect(toJson({ $secret: true })).toEqual({ $value: { $secret: true } });
    expect(toJson([{ $value: { $unknown: true } }])).toEqual([
      { $value: { $value: { $value: { $unknown: true } } } },
    ]);
  });

  it("are whole: what is read back is what was written, and follows the schema", () => {
    const key = fc.oneof(fc.string(), fc.constantFrom("$secret", "$unknown", "$value", "$"));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(null, true, 0, HIDDEN, UNKNOWN),
        fc.string(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        const written = JSON.parse(JSON.stringify(toJson(any))) as ReturnType<typeof toJson>;
        expect(jsonValue.safeParse(written).success).toBe(true);
        expect(fromJson(written)).toEqual(any);
      }),
    );
  });
});
