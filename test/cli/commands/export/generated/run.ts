/** Creates, exports, imports and copies one generated workspace from its seed. */
import fc from "fast-check";
import { type Emulator, startEmulator } from "../../../../../emulator/index.js";
import { isSameSpelling } from "../../../../../provider/index.js";
import { actionOfEach } from "./actions.js";
import { allKinds } from "./exported.js";
import { make, seed as before } from "./make.js";
import { comesUnderCode, isCopied } from "./round-trip.js";
import { oddTexts } from "./texts.js";
import {
  anySettings,
  type RawPipeline,
  type RawWorkspace,
  rawWorkspace,
  type Settings,
  type Size,
} from "./workspace.js";

const sizes: readonly Size[] = [
  { projects: 1, pipelines: 2, actions: 3, others: 3 },
  { projects: 2, pipelines: 2, actions: 4, others: 5 },
  { projects: 4, pipelines: 4, actions: 6, others: 25 },
];

export interface Generated {
  readonly raw: RawWorkspace;
  readonly settings: Settings;
  readonly split: boolean;
  readonly branches: boolean;
  /** Some of the kinds, which are also exported alone. */
  readonly kinds: readonly string[];
}

export function generated(size?: Size): fc.Arbitrary<Generated> {
  const chosen = size === undefined ? fc.constantFrom(...sizes, ...sizes.slice(0, 2)) : fc.constant(size);
  return chosen.chain((of) =>
    fc.record({
      raw: rawWorkspace(of),
      settings: anySettings,
      split: fc.boolean(),
      branches: fc.boolean(),
      kinds: fc.subarray(allKinds, { minLength: 1 }),
    }),
  );
}

/**
 * Generates a workspace with many objects of every kind that can be copied: it contains no references by number, and a
 * file can represent all of it.
 */
export function largeWorkspace(): RawWorkspace {
  const large: Size = { projects: 3, pipelines: 4, actions: 6, others: 12 };
  const [one] = fc.sample(generated(large), { numRuns: 1, seed: 51 });
  const [each] = fc.sample(actionOfEach, { numRuns: 1, seed: 51 });
  const every: RawPipeline = {
    body: { name: "every type", trigger_mode: "MANUAL", ref_name: "main" },
    variables: [],
    actions: each!.map((body, index) => ({ body: { ...body, name: `step ${index}` }, variables: [] })),
  };
  const projects = one!.raw.projects.map((project, index) =>
    index > 0 ? project : { ...project, pipelines: [...project.pipelines, every] },
  );
  const representable = JSON.stringify({ ...one!.raw, projects })
    .replaceAll('"$integration":"twin"', '"$integration":"chat-main"')
    .replaceAll('"__proto__"', '"proto"')
    .replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, "half");
  const raw = JSON.parse(representable) as RawWorkspace;
  return {
    ...raw,
    permissionSets: raw.permissionSets.filter(({ name }) => name !== "Developer" && name !== "Read-only"),
    groups: [...raw.groups, ...oddNames.map((name) => ({ body: { name, description: name }, members: [] }))],
  };
}

/**
 * Odd names that the service allows, and that Pulumi's engine must therefore accept. Of several spellings of one name, a run creates only
 * the first.
 */
const oddNames = oddTexts
  .filter(
    (text) =>
      text.trim() !== "" && text !== "__proto__" && text.length < 100 && !/\p{Surrogate}|\0/u.test(text),
  )
  .filter((text, index, all) => all.findIndex((one) => isSameSpelling("name", one, text)) === index);

export interface Ran {
  readonly made: number;
  readonly refused: number;
  readonly problems: readonly string[];
  /** Whether it was also copied to a second workspace. */
  readonly copied: boolean;
}

export async function runOnce(seed: number): Promise<Ran> {
  const [one] = fc.sample(generated(), { numRuns: 1, seed });
  return runOf(one!);
}

/** Checks both guarantees for one workspace. */
export async function runOf({ raw, settings, split, branches, kinds }: Generated): Promise<Ran> {
  return withEmulator(settings, async (emulator) => {
    const { count: made, refused } = await make(emulator, raw);
    const problems = await comesUnderCode(emulator, { split, branches });
    const part = await comesUnderCode(emulator, { split: false, branches, kinds });
    problems.push(...part.map((problem) => `${kinds.join(",")}: ${problem}`));
    // With hidden addresses, members cannot be declared, so a copy would lack them.
    if (!settings.echoMemberEmail) return { made, refused, problems, copied: false };
    const unlike = await withEmulator(settings, async (second) => {
      await shiftNumbers(second);
      return isCopied(emulator, second, { split: false, branches: false });
    });
    return { made, refused, problems: [...problems, ...(unlike ?? [])], copied: unlike !== undefined };
  });
}

export async function withEmulator<T>(
  settings: Partial<Settings>,
  work: (emulator: Emulator) => Promise<T>,
): Promise<T> {
  const emulator = await startEmulator({ seed: before, rateLimit: 10_000_000, ...settings });
  try {
    return await work(emulator);
  } finally {
    await emulator.close();
  }
}

/** Gives every object of the second workspace a different number than in the first. */
async function shiftNumbers(emulator: Emulator): Promise<void> {
  const path = `/workspaces/${emulator.workspace}/groups`;
  for (let times = 0; times < 7; times += 1) {
    const { body } = await emulator.edit({ method: "POST", path, body: { name: "gone" } });
    await emulator.edit({ method: "DELETE", path: `${path}/${(body as { id: number }).id}` });
  }
}
