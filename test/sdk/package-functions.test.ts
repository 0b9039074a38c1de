/** Checks that the packaged plugin has the same functions as the library for Node.js. */
import { expect, it } from "vitest";
import { functions } from "../../provider/discovery/functions/read-functions.js";
import * as sdk from "../../sdk/nodejs/functions.js";

it("the packaged plugin has the same functions as the library, each in both forms", () => {
  const both = Object.keys(functions).flatMap((name) => [name, `${name}Output`]);
  expect(Object.keys(sdk).sort()).toEqual(both.sort());
});
