/** Tests what all forms of secrets have in common, since a text without it is not compared with any of them. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { secretForms, SOME_FORM } from "../../../resources/definition/secrets/secret-forms.js";

/** Parts of which texts of the forms consist, without what each of them contains. */
const parts = [
  ...[
    "-----BEGIN",
    "PRIVATE",
    "KEY-----",
    "PuTTY-User-Key-File-3",
    "//",
    "@",
    "curl",
    "-u",
    "--password",
    "-p",
  ],
  ...[
    "mysql",
    "sshpass",
    "-passin",
    "pass",
    "_authToken",
    "machine",
    "PASSWORD",
    "'",
    '"',
    "\\",
    "\\n",
    "{",
    "}",
  ],
  ...[
    "authorization",
    "bearer",
    "-H",
    "token",
    "secret",
    ">",
    "#",
    "ENV",
    "8sK2pQ9x",
    "hooks.",
    "services/a/b/c",
  ],
];

it("no form matches a text without blanks, colons, equals signs and dollar signs", () => {
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      expect(text).not.toMatch(SOME_FORM);
      for (const { pattern } of secretForms) expect(text.match(pattern)).toBeNull();
    }),
    { numRuns: 300 },
  );
});
