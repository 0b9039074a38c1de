/** Tests what is said when a file names another connection than the run uses. */
import { expect, it } from "vitest";
import { formatCredentialsHint } from "../../../workspace-file/load/load.js";

it("another connection is told with what the stack has, and how to change it", () => {
  const remedy =
    'run "workspacectl config set workspace-automation:connection eu", or remove the line from the file';
  expect(formatCredentialsHint("a.yaml", "eu", undefined)).toBe(
    `a.yaml says "connection: eu", but the stack names none: ${remedy}`,
  );
  expect(formatCredentialsHint("a.yaml", "eu", "us")).toBe(
    `a.yaml says "connection: eu", but the stack's is "us": ${remedy}`,
  );
});
