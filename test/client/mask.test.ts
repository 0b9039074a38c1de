/** Tests that errors show no secret, however the service encodes what it repeats. */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createErrorFromResponse } from "../../client/error-from-response.js";
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
    const error = createErrorFromResponse({ method: "GET", path: "/user" }, 401, body, ["abcdef-123456"]);
    expect(error.message).toContain("The token [secret] has expired");
    expect(error.serviceMessages).toEqual(["The token [secret] has expired"]);
  });
});

const html = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[one] ?? one,
  );
const each = (text: string, encode: (code: number, char: string) => string) =>
  [...text].map((char) => encode(char.codePointAt(0) ?? 0, char)).join("");
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const percent = (text: string) =>
  each(
    text,
    (_code, char) =>
      `%${Buffer.from(char)
        .toString("hex")
        .replace(/(..)(?=.)/g, "$1%")}`,
  );
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");

/** What services, proxies and frameworks make of a text that they repeat. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "HTML, by name": html,
  "HTML, decimal": (text) => each(text, (code, char) => (/\w/.test(char) ? char : `&#${code};`)),
  "HTML, hexadecimal": (text) => each(text, (code) => `&#x${code.toString(16)};`),
  "HTML, by names of punctuation": (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("/", "&sol;")
      .replaceAll("=", "&equals;")
      .replaceAll("$", "&dollar;")
      .replaceAll(":", "&colon;"),
  JSON: json,
  "JSON, without other characters than those of ASCII": (text) =>
    json(text).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "JSON twice": (text) => json(json(text)),
  "JSON three times": (text) => json(json(json(text))),
  "JSON in HTML": (text) => html(json(text)),
  "HTML in JSON": (text) => json(html(text)),
  "an address": (text) => encodeURIComponent(text),
  "an address, in full": percent,
  "an address twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "a form": (text) => new URLSearchParams({ v: text }).toString().slice(2),
  "upper case": (text) => text.toUpperCase(),
  "lower case": (text) => text.toLowerCase(),
  Base64: base64,
  "Base64 without padding": (text) => base64(text).replace(/=+$/, ""),
  "Base64 for addresses": (text) => Buffer.from(text).toString("base64url"),
  "Base64 after one byte": (text) => base64(`:${text}`),
  "Base64 after two bytes, before others": (text) => base64(`u:${text}\n}`),
  "Base64 in lines": (text) => base64(`user:${text}`).replace(/.{16}/g, "$&\r\n"),
  "Base64 in an address": (text) => encodeURIComponent(base64(text)),
  hexadecimal: hex,
  "hexadecimal, in upper case": (text) => hex(text).toUpperCase(),
  "hexadecimal, with colons": (text) => hex(text).replace(/(..)(?=.)/g, "$1:"),
  "hexadecimal, as an array": (text) => hex(text).replace(/../g, "0x$&, "),
  "a program's text": (text) =>
    [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
};

/** Secrets of a length that is recognized in every encoding. Upper and lower case are those of ASCII. */
const secret = fc
  .oneof(
    fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(..."abcXYZ019 &<>\"'\\\\/%+=:;#{}$_-.,\n\t"),
      minLength: 8,
      maxLength: 60,
    }),
    fc.base64String({ minLength: 16, maxLength: 80 }),
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9!?#&%<>"' \\]{10,50}[A-Za-z]$/),
  )
  .filter((text) => (text.match(/[A-Za-z0-9]/g) ?? []).length >= 8 && text.trim() === text);

describe("a secret that the service encodes", () => {
  it.each(Object.entries(encodings))("is masked in %s", (_name, encode) => {
    fc.assert(
      fc.property(secret, (text) => {
        const message = `Value ( ${encode(text)} ) is wrong`;
        const masked = maskTexts(message, [text]);
        expect(masked).toMatch(/^Value \(.{0,9}\[secret\].{0,9}\) is wrong$/s);
      }),
      { numRuns: 300 },
    );
  });

  it("is masked where it was cut off", () => {
    const text = "correct-horse<battery>staple&0123456789";
    for (const encode of [encodings["JSON"], html, base64, hex, (one: string) => one.toUpperCase()]) {
      const encoded = encode?.(text) ?? "";
      const cut = encoded.slice(0, Math.ceil(encoded.length * 0.8));
      expect(maskTexts(`wrong: ${cut}`, [text])).toMatch(/^wrong: \[secret\].{0,2}$/);
    }
  });
});

describe("a short secret", () => {
  it.each(['a"b&', "<a>'", "p w?", "12&4"])("is masked when it is escaped: %s", (text) => {
    for (const encode of [html, json, percent, encodings["JSON twice"]])
      expect(maskTexts(`wrong: ${encode?.(text)}.`, [text])).toBe("wrong: [secret].");
  });

  it("hides no other words", () => {
    const pages = readdirSync("docs")
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(`docs/${name}`, "utf8"));
    const other = fc.string({
      unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
      minLength: 4,
      maxLength: 9,
    });
    const said = new Map<string, number>();
    fc.assert(
      fc.property(other, fc.constantFrom(...pages), (text, page) => {
        if (page.toLowerCase().includes(text.toLowerCase())) return;
        if (maskTexts(page, [text]) !== page) said.set(text, (said.get(text) ?? 0) + 1);
      }),
      { numRuns: 200, seed: 1 },
    );
    expect([...said]).toEqual([]);
  });

  it("of blanks only hides no blanks", () => {
    expect(maskTexts("1 + 1 = 2", ["+ + +", "+++++"])).toBe("1 + 1 = 2");
  });

  it("is masked in its own case only", () => {
    expect(maskTexts("Main, main and MAIN", ["main"])).toBe("Main, [secret] and MAIN");
    expect(maskTexts("hex 6d61696e, Base64 bWFpbg==", ["main"])).toBe("hex 6d61696e, Base64 bWFpbg==");
  });
});
