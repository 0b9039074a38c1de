import { describe, expect, it } from "vitest";
import { markedAs, namesOfSecrets } from "../../../provider/adapters/marks.js";
import { asSecret } from "../../../diff/values.js";

describe("marks of secrets", () => {
  it("stay where they were, whatever the value is now", () => {
    const earlier = { content: asSecret("hush"), name: "QA" };
    expect(markedAs({ content: "changed outside", name: "QA" }, earlier)).toEqual({
      content: asSecret("changed outside"),
      name: "QA",
    });
    expect(markedAs({ content: asSecret("marked already") }, earlier)).toEqual({
      content: asSecret("marked already"),
    });
  });

  it("stay within maps, and make a list secret as a whole", () => {
    const earlier = { headers: { authorization: asSecret("hush"), accept: "*" }, list: ["a", asSecret("b")] };
    expect(markedAs({ headers: { authorization: "x", accept: "*" }, list: ["a", "c"] }, earlier)).toEqual({
      headers: { authorization: asSecret("x"), accept: "*" },
      list: asSecret(["a", "c"]),
    });
    expect(namesOfSecrets({ ...earlier, name: "QA" })).toEqual(["headers", "list"]);
  });

  it("make a map secret as a whole when it is no map any more", () => {
    expect(markedAs({ headers: "x" }, { headers: { authorization: asSecret("hush") } })).toEqual({
      headers: asSecret("x"),
    });
  });
});
