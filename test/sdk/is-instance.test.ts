/** Tests that `isInstance` of each class checks the type token, which policies rely on. */
import { expect, it } from "vitest";
import { resourceClasses } from "../../sdk/nodejs/resources.js";

const types = Object.keys(resourceClasses);

it.each(Object.entries(resourceClasses))("%s.isInstance recognizes its own type only", (type, resource) => {
  const token = (name: string) => ({ __pulumiType: `pulumi-nodejs:dynamic/workspace-automation:${name}` });
  expect(types.filter((name) => resource.isInstance(token(name)))).toEqual([type]);
  expect([undefined, null, "text", {}].filter((value) => resource.isInstance(value))).toEqual([]);
});
