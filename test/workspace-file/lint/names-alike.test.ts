/** Tests that names are reported that read alike, with what differs. */
import { expect, it } from "vitest";
import { lint } from "../../../workspace-file/lint/lint.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

const folder = temporaryFolder();

it.each([
  ["REGION", "Region", '"Region" differs from "REGION" only by upper and lower case'],
  ["Caf\u00e9", "Cafe\u0301", "has other characters (U+0301; U+00E9)"],
  ["QA", "QA ", "has other characters (U+0020; only ASCII)"],
  ["QA", "\u00a0qa", "has other characters"],
])("%j and %j", async (one, other, message) => {
  const text = `version: 1\ngroups:\n  ${JSON.stringify(one)}: { description: a }\n  ${JSON.stringify(other)}: { description: b }\n`;
  const { findings } = await lint(fileIn(folder, "workspace.yaml", text), { env: {} });
  const alike = findings.filter(({ code }) => code === "names-alike");
  expect(alike.map((finding) => finding.message)).toEqual([expect.stringContaining(message)]);
});
