/** Tests that the library does not change the process that it runs in: its stack traces. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";
import { Group } from "../../sdk/nodejs/index.js";
import { removeMocks } from "./remove-mocks.js";

removeMocks();

const asked: unknown[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
    call: () => ({}),
  });
});

/** Creates a group with a transformation that throws, and returns the stack of the error. */
function stackWithin(name: string): string {
  let stack = "";
  function transformationOfMine(): undefined {
    try {
      throw new Error("something is wrong in the program");
    } catch (error) {
      stack = (error as Error).stack ?? "";
    }
  }
  new Group(name, { name }, { transformations: [transformationOfMine] });
  return stack;
}

it("an error in a transformation has its original stack", () => {
  const stack = stackWithin("QA");
  expect(stack).toContain("Error: something is wrong in the program");
  expect(stack).toContain("transformationOfMine");
});

it("a program's own hook for stack traces is called and remains installed", () => {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const hook = (error: Error) => {
    asked.push(error.message);
    return "as the program prints it";
  };
  try {
    Error.prepareStackTrace = hook;
    expect(stackWithin("Leads")).toBe("as the program prints it");
    expect(asked).toContain("something is wrong in the program");
    expect(Object.getOwnPropertyDescriptor(Error, "prepareStackTrace")?.value).toBe(hook);
  } finally {
    if (before) Object.defineProperty(Error, "prepareStackTrace", before);
    else Reflect.deleteProperty(Error, "prepareStackTrace");
  }
});
