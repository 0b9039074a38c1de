/** `isInstance` of each class goes by the type token, as policies by type ask for it. */
import { expect, it } from "vitest";
import { resourceClasses } from "../../sdk/nodejs/resources.js";

const types = Object.keys(resourceClasses);

it.each(Object.entries(resourceClasses))("%s recognizes its own type and no other", (type, resource) => {
  const token = (name: string) => ({ __pulumiType: `pulumi-nodejs:dynamic/workspace-automation:${name}` });
  expect(types.filter((name) => resource.isInstance(token(name)))).toEqual([type]);
  expect([undefined, null, "text", {}].filter((value) => resource.isInstance(value))).toEqual([]);
});
