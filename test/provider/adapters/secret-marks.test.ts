/** Tests provider/adapters/secret-marks.ts. */
import { describe, expect, it } from "vitest";
import { asSecret } from "../../../diff/values.js";
import { listNamesOfSecrets, markAs } from "../../../provider/adapters/secret-marks.js";

describe("secret marks", () => {
  it("stay on the same properties when the value changes", () => {
    const earlier = { content: asSecret("hush"), name: "QA" };
    expect(markAs({ content: "changed outside", name: "QA" }, earlier)).toEqual({
      content: asSecret("changed outside"),
      name: "QA",
    });
    expect(markAs({ content: asSecret("marked already") }, earlier)).toEqual({
      content: asSecret("marked already"),
    });
  });

  it("stay on single map entries, but cover a list as a whole", () => {
    const earlier = { headers: { authorization: asSecret("hush"), accept: "*" }, list: ["a", asSecret("b")] };
    expect(markAs({ headers: { authorization: "x", accept: "*" }, list: ["a", "c"] }, earlier)).toEqual({
      headers: { authorization: asSecret("x"), accept: "*" },
      list: asSecret(["a", "c"]),
    });
    expect(listNamesOfSecrets({ ...earlier, name: "QA" })).toEqual(["headers", "list"]);
  });

  it("cover the whole value when a map is no longer a map", () => {
    expect(markAs({ headers: "x" }, { headers: { authorization: asSecret("hush") } })).toEqual({
      headers: asSecret("x"),
    });
  });
});
