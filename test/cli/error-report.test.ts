/** Tests what `--json` prints of an error. */
import { describe, expect, it } from "vitest";
import { AutomationError } from "../../automation/errors.js";
import { createErrorReport } from "../../cli/report-error.js";

describe("the report of an error", () => {
  it("has the message with its remedy, and the remedy alone", () => {
    const { error } = createErrorReport(
      new AutomationError("there is no stack us", "choose another with --stack"),
    );
    expect(error).toMatchObject({
      message: "there is no stack us: choose another with --stack",
      remedy: "choose another with --stack",
    });
  });

  it("says what to do next where the message of each object contains its remedy", () => {
    const text =
      '2 problems:\n  groups/QA: name "QA" already exists: adopt it\n  groups/Ops: denied: use another token';
    const { error } = createErrorReport(new AutomationError(text, text));
    expect(error).toMatchObject({
      message: text,
      remedy: "Do what the message says of each object, and run the command again.",
    });
  });
});
