/** Waves of a fleet: which workspaces `fleet up` updates first, and what must hold before it continues. */
import { z } from "zod";
import { AutomationError } from "../../../automation/errors.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { text } from "../../../resources/definition/primitives.js";
import { chooseFreeName } from "../../../text/lists.js";
import {
  createDiagnostic,
  type Diagnostic,
  getPositionAt,
  type Tree,
} from "../../../workspace-file/index.js";

const gateSchema = z.strictObject({
  drift: z
    .literal("clean")
    .optional()
    .describe("`clean`: no workspace of the wave has drifted, by `workspacectl drift`."),
  guards: z
    .literal("pass")
    .optional()
    .describe("`pass`: no guard refuses the plan of a workspace in the next wave."),
  command: z
    .string()
    .regex(
      /^[A-Za-z][\w-]*$/,
      "must be the name of a command, which the caller gives in WORKSPACE_AUTOMATION_GATE_NAME",
    )
    .optional()
    .describe(
      "Name of a shell command that must succeed. The caller gives the command of `smoke-test` in WORKSPACE_AUTOMATION_GATE_SMOKE_TEST. It runs in the folder of the fleet file.",
    )
    .meta({ examples: ["smoke-test"] }),
  timeout: z
    .string()
    .regex(/^\d+[smhd]$/, "must be a number with s, m, h or d, such as 10m")
    .optional()
    .describe("Time limit of the command. Default: 10m.")
    .meta({ examples: ["10m"] }),
});

export const wavesSchema = z.array(
  z.strictObject({
    name: text.describe("Name of the wave.").meta({ examples: ["canary"] }),
    workspaces: z
      .array(text)
      .optional()
      .describe("Names of workspaces, or patterns in which * matches anything.")
      .meta({ examples: [["lab-*"]] }),
    share: z
      .string()
      .regex(/^(100|[1-9]?\d)%$/, "must be a percentage, such as 25%")
      .optional()
      .describe("Share of all workspaces that are done after this wave; filled in the order of the file.")
      .meta({ examples: ["25%"] }),
    gate: gateSchema.optional().describe("What must hold after this wave before the next one starts."),
  }),
);

type DeclaredWave = z.infer<typeof wavesSchema>[number];

type Gate = z.infer<typeof gateSchema>;

export interface Wave {
  readonly name: string;
  readonly gate: Gate | undefined;
  /** Names of its workspaces, in the order of the file. */
  readonly workspaces: readonly string[];
}

/** Divides the workspaces into waves. Those in no wave come last, as the wave `rest`. */
export function listWaves(names: readonly string[], declared: readonly DeclaredWave[]): Wave[] {
  const taken = new Set<string>();
  const waves = declared.map((wave): Wave => {
    const free = names.filter((name) => !taken.has(name));
    const room = Math.ceil((names.length * Number.parseInt(wave.share ?? "0", 10)) / 100) - taken.size;
    const workspaces =
      wave.workspaces === undefined
        ? free.slice(0, Math.max(0, room))
        : free.filter((name) => matchesName(wave.workspaces ?? [], name));
    for (const name of workspaces) taken.add(name);
    return { name: wave.name, gate: wave.gate, workspaces };
  });
  const rest = names.filter((name) => !taken.has(name));
  if (declared.length === 0 || rest.length === 0) return waves;
  const isTaken = (name: string) => declared.some((wave) => wave.name === name);
  return [
    ...waves,
    { name: chooseFreeName(isTaken, (suffix) => `rest${suffix}`), gate: undefined, workspaces: rest },
  ];
}

/** Finds waves that do not say which workspaces they have, that have another wave's name, or that name no workspace. */
export function listWaveProblems(
  names: readonly string[],
  declared: readonly DeclaredWave[],
  tree: Tree,
): Diagnostic[] {
  const problem = (path: (string | number)[], code: Diagnostic["code"], message: string) =>
    createDiagnostic(getPositionAt(tree, path), { code, message }, path);
  return declared.flatMap((wave, index) => {
    const { name, workspaces, share } = wave;
    const path = ["waves", index];
    const first = declared.findIndex((other) => other.name === name);
    const unknown = (workspaces ?? []).flatMap((pattern, at) =>
      names.some((one) => matchesName([pattern], one))
        ? []
        : [problem([...path, "workspaces", at], "unknown-name", `there is no workspace ${pattern}`)],
    );
    return [
      ...((workspaces === undefined) === (share === undefined)
        ? [
            problem(
              path,
              "required",
              `wave "${name}" needs one of these two lines: workspaces: [NAME], or share: 25%`,
            ),
          ]
        : []),
      ...(first < index
        ? [problem([...path, "name"], "declared-twice", `two waves are named ${name}: rename one of them`)]
        : []),
      ...unknown,
    ];
  });
}

/** Whether a workspace's name matches one of the patterns, in which * matches anything. */
export function matchesName(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern.replaceAll(/\*+/g, "**"), name, false));
}

/** Selects the workspaces of a wave. */
export function listInWave<E extends { readonly name: string }>(
  entries: readonly E[],
  waves: readonly Wave[],
  name: string | undefined,
): readonly E[] {
  if (name === undefined) return entries;
  const wave = waves.find((one) => one.name === name);
  if (wave !== undefined) return entries.filter((entry) => wave.workspaces.includes(entry.name));
  const known = waves.map((one) => one.name).join(", ");
  throw new AutomationError(
    known === "" ? "the fleet file has no waves" : `there is no wave ${name}`,
    known === "" ? "add waves to it (docs/fleet.md), or omit --wave" : `choose one of ${known}`,
  );
}
