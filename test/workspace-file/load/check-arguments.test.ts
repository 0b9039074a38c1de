/** Tests the check of arguments: texts of placeholders become what the argument is, and are reported where they cannot. */
import { describe, expect, it } from "vitest";
import { declared, loaded, problemsOf } from "./loaded.js";

/** An action of a pipeline, whose other arguments are on line 15. */
const action = (...more: readonly string[]) => `
projects:
  web:
    pipelines:
      p:
        triggerMode: MANUAL
        refName: main
        actions:
          - name: Call
            type: HTTP
            triggerTime: ON_EVERY_EXECUTION
            method: POST
            notificationUrl: https://a.example.com
            ${more.join("\n            ")}
`;
const given = (N: string) => ({ env: { WORKSPACE_VAR_N: N } });
const argsOf = (more: string, n: string) =>
  declared(loaded(action(more), given(n)), "projects/web/pipelines/p/actions/Call").args;

describe("the text of a placeholder", () => {
  it.each([
    ["0", 0],
    ["7", 7],
    ["600", 600],
  ])("becomes a number where only a number is allowed: %s", (text, timeout) => {
    expect(argsOf("timeout: '${env:N}'", text)).toMatchObject({ timeout, method: "POST" });
  });

  it.each([
    ["true", true],
    ["false", false],
  ])("becomes %s where only that is allowed", (text, flag) => {
    expect(argsOf("runOnlyOnFirstFailure: '${env:N}'", text)).toMatchObject({
      runOnlyOnFirstFailure: flag,
      method: "POST",
    });
  });

  it("stays a text where a text is allowed", () => {
    expect(argsOf("content: '${env:N}'", "600")).toMatchObject({ content: "600" });
    expect(argsOf("content: '${env:N}'", "true")).toMatchObject({ content: "true" });
  });

  const number = (n: string) => problemsOf(action("timeout: '${env:N}'"), given(n));

  it("is checked as the number that it is", () => {
    expect(number("601")).toEqual([
      "15:22: timeout: must be at most 600; correct the value that ${env:N} stands for",
    ]);
    expect(number("-3")).toEqual([
      "15:22: timeout: must be at least 0; correct the value that ${env:N} stands for",
    ]);
    for (const fraction of ["1.5", "1.25", "12.5"])
      expect(number(fraction)).toEqual([
        "15:22: timeout: must be a whole number; correct the value that ${env:N} stands for",
      ]);
  });

  it.each(["x", "7x", "x7", "1.", "1.x", "true7"])("is refused where it is no number: %s", (text) => {
    expect(number(text)).toEqual([
      "15:22: timeout: must be a number; correct the value that ${env:N} stands for",
    ]);
  });

  it("is not refused where it stands for a value that is not known", () => {
    expect(problemsOf(action("timeout: '${env:N}'"), { mock: true })).toEqual([]);
    expect(problemsOf(action("timeout: '${env:N}'", "runOnlyOnFirstFailure: 7"), { mock: true })).toEqual([
      "16:36: runOnlyOnFirstFailure: must be true or false",
    ]);
  });

  it("makes only its own item of a list another one", () => {
    const headers = "headers: [{ name: A, value: b }, '${env:N}', { name: C, value: d }]";
    expect(problemsOf(action(headers, "timeout: '${env:N}'"), given("7"))).toEqual([
      "15:46: headers[1]: must be a map; correct the value that ${env:N} stands for",
    ]);
  });
});

it("a text without a placeholder is no number", () => {
  expect(problemsOf(action("timeout: '7'"))).toEqual([
    "15:22: timeout: must be a number: write it without quotes",
  ]);
  expect(problemsOf(action("runOnlyOnFirstFailure: 'true'"))).toEqual([
    "15:36: runOnlyOnFirstFailure: must be true or false: write it without quotes",
  ]);
});
