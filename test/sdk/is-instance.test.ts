/** Tests that `isInstance` of each class checks the type token, which policies rely on. */
import { expect, it } from "vitest";
import { definitions } from "../../provider/index.js";
import * as classes from "../../sdk/nodejs/resources.js";

const types = definitions.map(({ type }) => type as keyof typeof classes);

it.each(types.map((type) => [type, classes[type]] as const))(
  "%s.isInstance recognizes its own type only",
  (type, resource) => {
    const token = (name: string) => ({ __pulumiType: `pulumi-nodejs:dynamic/workspace-automation:${name}` });
    expect(types.filter((name) => resource.isInstance(token(name)))).toEqual([type]);
    expect([undefined, null, "text", {}].filter((value) => resource.isInstance(value))).toEqual([]);
  },
);
