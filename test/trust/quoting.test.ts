/** Tests trust/quoting.ts. */
import { expect, it } from "vitest";
import { parse } from "yaml";
import { reportError } from "../../cli/report-error.js";
import { TrustError } from "../../trust/errors.js";
import { isParserError, parseFailure, parseJson } from "../../trust/quoting.js";
import { testIo } from "../cli/support.js";

const SECRET = "PLANTED";
const failureOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

it.each([
  `${SECRET}`,
  `{"a": ${SECRET}`,
  `{\n  "a": "${SECRET}",,\n}`,
  `["${SECRET}" 1]`,
  `"${SECRET}`,
  `{"${SECRET}": "\\x"}`,
])("JSON that cannot be parsed is not quoted: %j", (text) => {
  const error = failureOf(() => parseJson(text)) as Error;
  expect(error.message).toMatch(/^it is not JSON/);
  expect(error.message).not.toContain(SECRET);
});

it.each([`a: *${SECRET}`, `a: "\\q${SECRET}"`, `a: "${SECRET}\nb: 1`, `- ${SECRET}: x\n y`, `{${SECRET}`])(
  "YAML that cannot be parsed is not quoted: %j",
  (text) => {
    const error = failureOf(() => parse(text, { logLevel: "error" }));
    expect(parseFailure(error)).toMatch(/^it is not YAML/);
    expect(parseFailure(error)).not.toContain(SECRET);
  },
);

it("errors of the system are explained by their code, and those of the trust boundary keep their message", () => {
  expect(parseFailure(failureOf(() => process.chdir("/nowhere")))).toBe("there is no such file or folder");
  const other = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE", syscall: "open" });
  expect(parseFailure(other)).toBe("EMFILE: too many open files");
  expect(parseFailure(new TrustError("path", "x leads out", "x leads out"))).toBe("x leads out");
});

it("an error of a parser that nobody has caught is reported without the text", () => {
  for (const work of [
    () => JSON.parse(`{"a": ${SECRET}}`) as unknown,
    () => parse(`a: "${SECRET}`) as unknown,
  ]) {
    const error = failureOf(work);
    const { io, written } = testIo();
    reportError(error, io);
    expect(isParserError(error)).toBe(true);
    expect(written().stderr).not.toContain(SECRET);
  }
});
