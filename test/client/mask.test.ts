import { describe, expect, it } from "vitest";
import { errorFromResponse } from "../../client/error-from-response.js";
import { maskTexts } from "../../client/index.js";

describe("known secrets in a text", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n";

  it.each([
    ["Token abcdef-123456 is wrong", ["abcdef-123456"], "Token [secret] is wrong"],
    ["abcd and abcd", ["abcd"], "[secret] and [secret]"],
    ["the longer abcd-efgh first", ["abcd", "abcd-efgh"], "the longer [secret] first"],
    ['value "a\\"bc d"', ['a"bc d'], 'value "[secret]"'],
    ["at ?q=a%20b%2Fc", ["a b/c"], "at ?q=[secret]"],
    [`no such key: ${key.trim().replaceAll("\n", " ")}`, [key], "no such key: [secret]"],
    ["the line MIIEvQIBADANBgkqhkiG9w0BAQEFAASC is odd", [key], "the line [secret] is odd"],
    ["cut off: 0123456789abcdefghij", ["0123456789abcdefghijklmnopqrstuvwxyz"], "cut off: [secret]"],
    ["nothing of it here", ["abc", "", "xyzxyz"], "nothing of it here"],
  ])("%s", (text, secrets, masked) => {
    expect(maskTexts(text, secrets)).toBe(masked);
  });

  it("are masked when the service repeats the credentials of a request", () => {
    const body = JSON.stringify({ errors: [{ message: "The token abcdef-123456 has expired" }] });
    const error = errorFromResponse({ method: "GET", path: "/user" }, 401, body, ["abcdef-123456"]);
    expect(error.message).toContain("The token [secret] has expired");
    expect(error.serviceMessages).toEqual(["The token [secret] has expired"]);
  });
});
