/**
 * Counts the kinds that the invariants are tried with against the registry: a new resource type, a new place for one, or a new type of action
 * has to be generated, too.
 */
import { expect, it } from "vitest";
import { definitions, getVariant } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { WORKSPACE } from "../../resources/definition/placement.js";
import { readDeclarations, type ResourceDeclaration } from "../../workspace-file/load/load.js";
import { randomOf } from "../chaos/random.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { programKinds, randomProgram } from "./programs.js";
import { laterWorkspace, randomWorkspace, textOf } from "./workspace.js";

const folder = temporaryFolder();
const seeds = Array.from({ length: 8 }, (_, seed) => seed);
const sorted = (all: Iterable<string>) => [...new Set(all)].toSorted();

/** The declarations of random workspaces, file by file. */
const files = seeds.flatMap((seed) => {
  const random = randomOf(seed);
  const first = randomWorkspace(random, "acme");
  return [first, laterWorkspace(random, structuredClone(first))].map(
    (workspace) => readDeclarations(fileIn(folder, "workspace.yaml", textOf(workspace))).declarations,
  );
});

it("generates in files every kind that a file can declare, in each place, and in programs every other", () => {
  const inFiles = files.flatMap((file) => file.map((one) => placeOf(one, file)));
  const declarable = definitions.flatMap(({ type, document }) =>
    Object.keys(document?.under ?? {}).map((parent) => `${type} in ${parent}`),
  );
  const orders = definitions.flatMap(({ document }) =>
    document?.order === undefined ? [] : [document.order.type],
  );
  expect(sorted(inFiles)).toEqual(sorted([...declarable, ...orders]));

  const inPrograms = seeds.flatMap((seed) => randomProgram(randomOf(seed)).map(({ type }) => type));
  const others = definitions.filter(({ type, document }) => document === undefined && !orders.includes(type));
  expect(sorted(inPrograms)).toEqual(sorted(others.map(({ type }) => type)));
  expect(sorted(programKinds)).toEqual(sorted(inPrograms));
});

it("generates every variant of a kind", () => {
  const variants = definitions.flatMap(({ variants: of }) => Object.values(of?.of ?? {}));
  const generated = files.flat().map(({ definition, args }) => getVariant(definition, args));
  const missing = variants.filter((variant) => !generated.includes(variant));
  expect(missing.map(({ description }) => description)).toEqual([]);
});

function placeOf({ definition, name }: ResourceDeclaration, file: readonly ResourceDeclaration[]): string {
  const { type, document } = definition;
  if (document === undefined) return type;
  const parent = file.find((one) => one.name === new LogicalName(name).parent);
  return `${type} in ${parent?.definition.type ?? WORKSPACE}`;
}
