/** Tests the generated pages of the resource types. */
import { expect, it } from "vitest";
import { definitions } from "../../provider/index.js";
import { listOperations } from "../../scripts/generate/operations.js";
import { findConverted, listAllExamples } from "../../scripts/generate/package-schema/converted.js";

it.each(definitions.map((definition) => [definition.type, definition] as const))(
  "the page of %s names the scopes of its requests",
  (_, definition) => {
    const operations = listOperations(definition);
    expect(operations.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining([definition.ephemeral ? "create" : "read"]),
    );
    for (const { request, scopes } of operations)
      if (!request.includes("/oauth2/")) expect(scopes, request).not.toEqual([]);
  },
);

it("every example is converted to other languages: otherwise, run `npm run generate -- --programs`", () => {
  const missing = listAllExamples().filter((example) => findConverted(example) === undefined);
  expect(missing.map(({ id }) => id)).toEqual([]);
});
