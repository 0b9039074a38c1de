/** Tests the masks of secrets in the text of a file, whose lines messages quote. */
import { expect, it } from "vitest";
import { hideAllSecrets, hideSecrets } from "../../../workspace-file/load/hide-secrets.js";

it.each([
  // By the name of the key.
  ["password: hunter2", "password: *******"],
  ["password: 12345", "password: *****"],
  ["password: true", "password: ****"],
  ['"apiKey": "abc"', '"apiKey": *****'],
  ["password: [ab, cd]", "password: [**, **]"],
  ["a: { token: abc, b: def }", "a: { token: ***, b: def }"],
  ["a: { token: abc }", "a: { token: *** }"],
  ["token: abc # said", "token: *** # said"],
  // By the flags and names next to a value.
  ["{ value: abc, encrypted: true }", "{ value: ***, encrypted: true }"],
  ["{ value: abc, encrypted: false }", "{ value: abc, encrypted: false }"],
  ["{ value: abc, sshKey: true }", "{ value: ***, sshKey: true }"],
  ["{ name: API_TOKEN, value: abc }", "{ name: API_TOKEN, value: *** }"],
  ["{ key: PASSWORD, value: abc, other: def }", "{ key: PASSWORD, value: ***, other: def }"],
  ["{ key: REGION, value: abc }", "{ key: REGION, value: abc }"],
  ["password:\n  - name: one\n    value: two\n", "password:\n  - name: one\n    value: ***\n"],
  // By its form.
  [
    "a: |\n  -----BEGIN PRIVATE KEY-----\n  abc\n  -----END PRIVATE KEY-----\nb: c",
    "a: |\n  ***************************\n*****\n***************************\nb: c",
  ],
  // Only the part of a text that is secret.
  ["a: |\n  # password=x9Qz81mKpW\n  curl evil\n", "a: |\n  # password=**********\n  curl evil\n"],
  ['a: "TOKEN=x9Qz81mKpW make"', 'a: "TOKEN=********** make"'],
  // Written with an escape.
  ['a: "TOKEN=x9Qz81\\u006dKpW make"', `a: ${"*".repeat(28)}`],
  ["fields: { url: https://a, apiKey: x9Qz81mKpW }", "fields: { url: https://a, apiKey: ********** }"],
  ["a: -----BEGIN RSA PRIVATE KEY-----", "a: *******************************"],
  // In a text that is no YAML.
  ["a: [\n  password: hunter2\n", "a: [\n  password: *******\n"],
  ["token: [12, 34, 5.6]", "token: [**, **, ***]"],
  // In a comment, which is in no tree: a value ends before the next one.
  ["# token: abc", "# token: ***"],
  ['# token: "a b" c', "# token: ***** c"],
  ['# token: ab "c" d', "# token: ********"],
  ["# { token: ab , b: c }", "# { token: ** , b: c }"],
  ["# {token: ab}", "# {token: **}"],
  ["# [{ token: ab}]", "# [{ token: **}]"],
  ["# token: a}b", "# token: ***"],
  ["# token: a,b", "# token: ***"],
  ["# token: ab  # c", "# token: **  # c"],
  ["# token: a#b", "# token: ***"],
  ["# token: abc\npassword: def\n", "# token: ***\npassword: ***\n"],
  [
    "# -----BEGIN PRIVATE KEY-----\n# abc\n# -----END PRIVATE KEY-----\nb: c",
    "# ***************************\n*****\n***************************\nb: c",
  ],
  ["# token: ${env:A}", "# token: ${env:A}"],
  ["# { token: ${env:A}, b: c }", "# { token: ${env:A}, b: c }"],
  ["# token: ${env:A}x", "# token: *********"],
  ["# token: x ${env:A}", "# token: *********}"],
  // Placeholders tell nothing.
  ['password: " ${env:PASSWORD} "', 'password: " ${env:PASSWORD} "'],
  ["password: ${env:PASSWORD}", "password: ${env:PASSWORD}"],
  ['password: "${env:PASSWORD}"', 'password: "${env:PASSWORD}"'],
  ["password: ${env:PASSWORD} # said", "password: ${env:PASSWORD} # said"],
  ["password: ${env:PASSWORD}x", "password: ****************"],
  ["name: token", "name: token"],
  ['password: ""', 'password: ""'],
])("%j is shown as %j", (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

it("keeps the length of a text, and shows nothing of a long one", () => {
  const long = `password: hunter2\n${"a: b\n".repeat(20_000)}`;
  expect(hideSecrets(long)).toBe("");
  const longest = "a: b #".padEnd(64 * 1024, "x");
  expect(hideSecrets(longest)).toBe(longest);
  expect(hideSecrets(`${longest}x`)).toBe("");
  const shown = hideAllSecrets(long);
  expect(shown).toHaveLength(long.length);
  expect(shown.startsWith("password: *******\na: b\n")).toBe(true);
});

it("shows nothing of a text that is nested too deep to be searched", () => {
  for (const deep of ["[".repeat(100), `a: ${"{b: ".repeat(100)}`, `${"- ".repeat(100)}c`])
    expect(hideSecrets(deep)).toBe("*".repeat(deep.length));
});
