/** Tests the error of an invalid file: which problems its message shows, in which order, and what to do about them. */
import { describe, expect, it } from "vitest";
import { type ProblemCode, problemRemedies } from "../../../resources/definition/problem-codes.js";
import { WorkspaceFileError } from "../../../workspace-file/load/load.js";

const problem = (
  file: string,
  line: number,
  column: number,
  message: string,
  code: ProblemCode = "required",
) => ({
  place: { file, line, column },
  message,
  code,
});
const messageOf = (...problems: readonly ReturnType<typeof problem>[]) =>
  new WorkspaceFileError("a.yaml", problems, "").message.split("\n");

describe("the message", () => {
  it("has the problems by file, line, column and text", () => {
    const sorted = [
      problem("a.yaml", 2, 3, "x"),
      problem("b.yaml", 1, 2, "x"),
      problem("b.yaml", 1, 10, "a"),
      problem("b.yaml", 1, 10, "b"),
      problem("b.yaml", 1, 10, "c"),
      problem("b.yaml", 9, 1, "a"),
      problem("b.yaml", 10, 1, "a"),
      problem("c.yaml", 1, 1, "a"),
    ];
    const [first, second, third, fourth, fifth, ...rest] = sorted;
    for (const given of [sorted, sorted.toReversed(), [fourth, ...rest, second, fifth, first, third]])
      expect(new WorkspaceFileError("a.yaml", given as typeof sorted, "").problems).toEqual(sorted);
  });

  it("quotes the line of each problem, without secrets", () => {
    const quoted = "a.yaml:2:1: x\n    2 | token: ***\n      | ^\n1 problem in a.yaml; nothing was changed";
    const text = "version: 1\ntoken: abc\n";
    const problems = [problem("a.yaml", 2, 1, "x")];
    expect(new WorkspaceFileError("a.yaml", problems, text).message).toBe(quoted);
    expect(
      new WorkspaceFileError("a.yaml", problems, (file) => (file === "a.yaml" ? text : undefined)).message,
    ).toBe(quoted);
    expect(new WorkspaceFileError("a.yaml", problems, () => undefined).message).toBe(
      "a.yaml:2:1: x\n1 problem in a.yaml; nothing was changed",
    );
  });

  it("has no more than fifty problems", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => problem("a.yaml", index + 1, 1, "x"));
    expect(messageOf(...many(50))).toEqual([
      ...many(50).map(({ place }) => `a.yaml:${place.line}:1: x`),
      "50 problems in a.yaml; nothing was changed",
    ]);
    expect(messageOf(...many(52)).slice(49)).toEqual([
      "a.yaml:50:1: x",
      "... and 2 more",
      "52 problems in a.yaml; nothing was changed",
    ]);
  });

  it("has no count where the only problem is that a file cannot be read", () => {
    const unread = (file: string) => problem(file, 1, 1, "there is no such file", "unreadable");
    expect(messageOf(unread("a.yaml"))).toEqual(["a.yaml: there is no such file"]);
    expect(messageOf(unread("a.yaml"), unread("b.yaml"))).toEqual([
      "a.yaml: there is no such file",
      "b.yaml: there is no such file",
      "2 problems in a.yaml; nothing was changed",
    ]);
  });
});

it("the remedy is that of each kind of problem, once", () => {
  const problems = [
    problem("a.yaml", 1, 1, "x", "required"),
    problem("a.yaml", 2, 1, "y", "cycle"),
    problem("a.yaml", 3, 1, "z", "required"),
  ];
  expect(new WorkspaceFileError("a.yaml", problems, "").remedy).toBe(
    `${problemRemedies.required} ${problemRemedies.cycle}`,
  );
});
