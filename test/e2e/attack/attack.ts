/** Plays attacks against commands, and returns what went wrong. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { randomOf } from "../../chaos/random.js";
import { emulatorForTests, temporaryFolder } from "../support.js";
import { attacks, writeHarmless } from "./checkouts.js";
import { commands } from "./commands.js";
import { type Attack, Target } from "./target.js";

/** Runs a command on a hostile checkout. @returns each thing that it must not have done */
export async function play(parts: readonly Attack[], command: string, seed: number): Promise<string[]> {
  const folder = temporaryFolder();
  const emulator = await emulatorForTests();
  const target = await Target.create(folder, emulator, await emulatorForTests());
  try {
    const random = randomOf(seed);
    writeHarmless(target);
    for (const part of parts) part.apply(target, random);
    const env = Object.assign({}, ...parts.map((part) => part.env?.(target) ?? {})) as NodeJS.ProcessEnv;
    const outcome = await target.run(commands[command] ?? [], { WORKSPACE_VAR_HARMLESS: "harmless", ...env });
    return [
      ...outcome.leaks.map((leak) => `leaked: ${leak}`),
      ...outcome.foreign.map((request) => `sent to the attacker: ${request.split("\n")[0] ?? ""}`),
      ...outcome.started.map((program) => `started: ${program}`),
      ...outcome.changed.map((path) => `changed outside the checkout: ${path}`),
      ...(/^::(?!error|warning|notice|debug|group|endgroup)|^##vso/m.test(outcome.output)
        ? ["printed a command of the runner"]
        : []),
      ...(outcome.code === undefined ? ["did not end"] : []),
    ];
  } finally {
    await target.close();
    await emulator.close();
    rmSync(join(folder, "checkout"), { recursive: true, force: true });
  }
}

export interface Play {
  readonly parts: readonly Attack[];
  readonly command: string;
  readonly seed: number;
}

/** Runs every command on a checkout without an attack. @returns the exit codes, by command */
export async function playHarmless(): Promise<Record<string, number | undefined>> {
  const target = await Target.create(temporaryFolder(), await emulatorForTests(), await emulatorForTests());
  try {
    writeHarmless(target);
    target.file("fleet.yaml", "version: 1\nworkspaces: { dev: {} }\n");
    const codes: Record<string, number | undefined> = {};
    for (const [name, argv] of Object.entries(commands)) codes[name] = (await target.run(argv)).code;
    return codes;
  } finally {
    await target.close();
  }
}

/** An attack with a command that depends on the seed. */
export function onePlay(attack: Attack, seed: number): Play {
  const names = Object.keys(commands);
  return { parts: [attack], command: names[seed % names.length] ?? "", seed };
}

/** A play with a title for reports. */
export function titled(one: Play): Play & { readonly title: string } {
  return { ...one, title: `${one.command}: ${one.parts.map(({ name }) => name).join("; ")}` };
}

/** Each attack with each command. */
export function everyPlay(): Play[] {
  return attacks.flatMap((attack, index) =>
    Object.keys(commands).map((command) => ({ parts: [attack], command, seed: index })),
  );
}

/** Random combinations of attacks, each with a random command. */
export function randomPlays(count: number, seed: number): Play[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => ({
    parts: random.shuffled(attacks).slice(0, random.between(1, 4)),
    command: random.pick(Object.keys(commands)),
    seed: random.below(1 << 30),
  }));
}
