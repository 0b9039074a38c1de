/** Runs the console blocks of the pages about several workspaces or several files, and compares the output with the pages. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { tellsAllStories } from "../stories.js";
import { openShellWithCommand, played, withoutChance } from "./guide.js";
import { seeds, steps } from "./pages-of-several.js";
import { isolated, repository, stateIn, temporaryFolder, withoutProgress } from "./support.js";

// The page on fleets takes as long as all others together.
const pages = Object.keys(seeds).filter((name) => tellsAllStories || name !== "fleet");

it.each(pages)("prints the output shown in docs/%s.md", { timeout: 600_000 }, async (name) => {
  const file = join(repository, `docs/${name}.md`);
  const page = readFileSync(file, "utf8");
  const folder = temporaryFolder();
  const work = join(folder, "work");
  mkdirSync(work);
  const emulators = await started(seeds[name] ?? {});
  const shell = await openShellWithCommand(work, environment(folder, emulators));

  const printed = await played(page, shell, async (what) => {
    const step = steps[what] ?? expect.fail(`nobody knows how to do this by hand: ${what}`);
    await step({ page, emulators, run: (script) => shell.run(script) });
  });
  let now = withoutProgress(printed).replaceAll(folder, "/home/olga").replaceAll(/ +$/gm, "");
  for (const [connection, { baseUrl }] of Object.entries(emulators))
    now = now.replaceAll(baseUrl, `https://${connection}.host/api`);
  if (same(now) !== same(page)) await expect(now).toMatchFileSnapshot(file);
});

async function started(of: (typeof seeds)[string]): Promise<Record<string, Emulator>> {
  const emulators: Record<string, Emulator> = {};
  for (const [connection, seed] of Object.entries(of)) {
    const emulator = await startEmulator({ seed, echoMemberEmail: true } as EmulatorOptions);
    onTestFinished(() => emulator.close());
    emulators[connection] = emulator;
  }
  return emulators;
}

/** Returns an environment with a connection to each emulator. The first one is also the default. */
function environment(folder: string, emulators: Record<string, Emulator>): NodeJS.ProcessEnv {
  const settings = (prefix: string, { baseUrl, token, workspace }: Emulator) => [
    [`${prefix}_BASE_URL`, baseUrl],
    [`${prefix}_TOKEN`, token],
    [`${prefix}_DOMAIN`, workspace],
  ];
  const all = Object.entries(emulators);
  const named = all.flatMap(([name, emulator]) =>
    settings(`WORKSPACE_AUTOMATION_${name.toUpperCase()}`, emulator),
  );
  const first = all.slice(0, 1).flatMap(([, emulator]) => settings("WORKSPACE_AUTOMATION", emulator));
  return isolated(folder, {
    ...(Object.fromEntries([...named, ...first]) as NodeJS.ProcessEnv),
    ...stateIn(folder),
    WORKSPACE_VAR_EU_DEPLOY_TOKEN: "deploy-token-of-eu",
    EU_PULUMI_CONFIG_PASSPHRASE: "passphrase of eu",
  });
}

/** Replaces what differs between runs: also the widths of columns with times, and the order of what runs in parallel. */
function same(text: string): string {
  return withoutChance(text)
    .replace(/ {2,}/g, "  ")
    .replace(/(?:^.* (?:created|updated) in 0\.0 s\n)+/gm, (lines) =>
      lines.split("\n").toSorted().join("\n"),
    );
}
