/** Generators of types read the published schemas, and what they write compiles. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ForeignPrograms } from "../foreign-programs.js";

const programs = new ForeignPrograms("type-generators");
const missing = programs.missing();

describe.skipIf(missing !== undefined)(
  `type generators${missing === undefined ? "" : ` (${missing})`}`,
  () => {
    it("make types of all schemas that compile", async () => {
      const questions = readdirSync("schema")
        .filter((name) => name.endsWith(".schema.json") && !name.startsWith("pulumi."))
        .map((file) => ({
          name: file.slice(0, -".schema.json".length),
          schema: JSON.parse(readFileSync(join("schema", file), "utf8")) as object,
        }));
      const ask = await programs.prepare();
      const answers = await ask({ questions });
      const named = programs.listPins("docs/editors.md");
      process.stdout.write(`${named.join(", ")}\n`);
      expect(named).toHaveLength(3);
      expect(Object.keys(answers)).toHaveLength(3);
      for (const [generator, all] of Object.entries(answers))
        expect(
          questions.map(({ name }, at) => ({ name, problems: all[at] })),
          generator,
        ).toEqual(questions.map(({ name }) => ({ name, problems: [] })));
    });
  },
);
