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
    "a: *\n*****************************\n*****\n***************************\nb: c",
  ],
  ["a: -----BEGIN RSA PRIVATE KEY-----", "a: *******************************"],
  // In a text that is no YAML.
  ["a: [\n  password: hunter2\n", "a: [\n  password: *******\n"],
  // Placeholders tell nothing.
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
  const shown = hideAllSecrets(long);
  expect(shown).toHaveLength(long.length);
  expect(shown.startsWith("password: *******\na: b\n")).toBe(true);
});
