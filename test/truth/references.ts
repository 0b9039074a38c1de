/**
 * Random programs whose objects refer to each other in every form, and through every output: applied, changed, and applied again on
 * plain Pulumi. A preview announces exactly the steps that `up` takes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ProviderEngine } from "../../provider/index.js";
import { randomOf } from "../chaos/random.js";
import { openPlainProgram, type Step } from "../e2e/plain-program.js";
import { exampleSeed } from "../provider/prerequisites.js";
import { changeProgram, type Declared, randomObjects, withSinks } from "./referring-objects.js";

/** Declares what declared.json lists. `$of` stands for an object, `$output` for one of its outputs, `$text` for both in a text. */
const PROGRAM = `import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as kinds from "pulumi-workspace-automation";
const made = {};
const resolve = (value) => {
  if (Array.isArray(value)) return value.map(resolve);
  if (value === null || typeof value !== "object") return value;
  if ("$of" in value) return made[value.$of];
  if ("$output" in value) return made[value.$output[0]][value.$output[1]];
  if ("$text" in value) return pulumi.interpolate\`is \${pulumi.output(resolve(value.$text)).apply(String)}\`;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
};
for (const { type, name, args, options = {} } of JSON.parse(readFileSync("declared.json", "utf8")))
  made[name] = new kinds[type](name, resolve(args), { protect: false, ...resolve(options) });
`;

/** What a run showed beyond what it tests. */
export interface Counted {
  /** Outputs that some object referred to, as `Type.output`. */
  readonly outputs: ReadonlySet<string>;
  /** Announced updates that turned out to change nothing: the outputs that the object refers to, none of them of a replaced object. */
  readonly needless: readonly (readonly string[])[];
}

/**
 * Applies one random program and some changes of it.
 * @param changes how many; a slice has one, and plans neither the first program nor the last one again
 */
export async function checkReferences(
  seed: number,
  engine: ProviderEngine,
  changes: number | "slice",
): Promise<Counted> {
  const random = randomOf(seed);
  const options = { actionSeconds: 0, seed: exampleSeed };
  const { root, run, stepsOf } = await openPlainProgram(engine, `seed ${seed}`, options);
  writeFileSync(join(root, "program.js"), PROGRAM);

  const isSlice = changes === "slice";
  const outputs = new Set<string>();
  const needless: string[][] = [];
  let objects = randomObjects(random);
  for (let change = 0; change <= (isSlice ? 1 : changes); change++) {
    if (change > 0) objects = changeProgram(random, objects);
    const declared = withSinks(objects);
    for (const { output } of declared.flatMap(({ refersTo = [] }) => refersTo)) outputs.add(output);
    writeFileSync(join(root, "declared.json"), JSON.stringify(declared));
    const announced = isSlice && change === 0 ? undefined : toOperations(await stepsOf("preview"));
    const taken = toOperations(await stepsOf("up", "--yes", "--skip-preview"));
    if (announced === undefined) continue;
    const where = `seed ${seed}, ${engine}, change ${change}`;
    const only = (all: ReadonlyMap<string, string>, ...operations: string[]) =>
      [...all]
        .filter(([, operation]) => operations.includes(operation))
        .map((step) => step.join(": "))
        .toSorted();
    const others = ["create", "delete", "replace"];
    expect(only(announced, ...others), where).toEqual(only(taken, ...others));
    expect(only(announced, "update"), where).toEqual(expect.arrayContaining(only(taken, "update")));
    const isNeedless = ({ name }: Declared) => announced.get(name) === "update" && !taken.has(name);
    for (const { refersTo = [] } of declared.filter(isNeedless)) {
      // Only its creation shows that the outputs of a successor are those of its predecessor.
      if (refersTo.some(({ name }) => taken.get(name) === "replace")) continue;
      needless.push(refersTo.map(({ output }) => output));
    }
  }
  if (!isSlice) await run("preview", "--expect-no-changes");
  return { outputs, needless };
}

/** The operation of each object in a run. */
function toOperations(steps: readonly Step[]): Map<string, string> {
  const changes = steps.filter(({ operation }) => operation !== "read");
  return new Map(
    changes.map(({ operation, name }) => [name, operation.includes("replace") ? "replace" : operation]),
  );
}
