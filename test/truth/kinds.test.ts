/** Counts the kinds that the invariants are tried with against the registry: a new resource type has to be generated, too. */
import { expect, it } from "vitest";
import { definitions } from "../../provider/index.js";
import { readDeclarations } from "../../workspace-file/load/index.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { randomOf } from "../chaos/random.js";
import { programKinds, randomProgram } from "./programs.js";
import { laterWorkspace, randomWorkspace, textOf } from "./workspace.js";

const folder = temporaryFolder();
const seeds = Array.from({ length: 8 }, (_, seed) => seed);
const sorted = (types: Iterable<string>) => [...new Set(types)].toSorted();

it("generates every kind that a file can declare, and in programs every other", () => {
  const inFiles = seeds.flatMap((seed) => {
    const random = randomOf(seed);
    const first = randomWorkspace(random, "acme");
    return [first, laterWorkspace(random, structuredClone(first))].flatMap((workspace) =>
      readDeclarations(fileIn(folder, "workspace.yaml", textOf(workspace))).declarations.map(
        (one) => one.definition.type,
      ),
    );
  });
  const inPrograms = seeds.flatMap((seed) => randomProgram(randomOf(seed)).map(({ type }) => type));
  const kinds = definitions.map(({ type }) => type);
  expect(sorted(inPrograms)).toEqual(sorted(programKinds));
  expect(sorted([...inFiles, ...inPrograms])).toEqual(sorted(kinds));
});
