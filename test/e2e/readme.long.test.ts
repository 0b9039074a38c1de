/** Runs what the README and docs/install.md let a reader paste, and draws the pictures of the README from the output. */
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { joinText, type ScreenLine } from "../../scripts/pictures/screen.js";
import { drawTerminal } from "../../scripts/pictures/terminal.js";
import { ensurePulumi } from "../../toolchain/index.js";
import { openShell } from "./guide.js";
import { install } from "./installed-project.js";
import { installedPulumi, isolated, repository, temporaryFolder } from "./support.js";
import { hasPseudoTerminal, inTerminal } from "./terminal.js";

const pageAt = (path: string) => readFileSync(join(repository, path), "utf8");
const readme = pageAt("README.md");

it("the block of docs/install.md finds the change when pasted", { timeout: 600_000 }, async () => {
  const folder = temporaryFolder();
  await install(folder);
  await ensurePulumi();
  const { PULUMI_CONFIG_PASSPHRASE: _, ...env } = isolated(folder);
  const shell = openShell(folder, { ...env, ...installedPulumi() });
  const [, block = ""] = /^## Try it without an account\n[\s\S]*?^```sh\n([\s\S]*?)^```/m.exec(
    pageAt("docs/install.md"),
  ) ?? [""];
  const port = String(await freePort());
  const printed = stripVTControlCharacters(await shell.run(block.replaceAll("8080", port)));
  expect(printed).toMatch(/Done: \d+ created/);
  expect(printed).toMatch(/projects\/web/);
  expect(await shell.run("echo $?")).toBe("7");
});

it.skipIf(!hasPseudoTerminal)(
  "the pictures of the README show the demo in a terminal",
  { timeout: 600_000 },
  async () => {
    const folder = temporaryFolder();
    const size = { columns: 100, rows: 24 };
    const { code, lines, screen } = await inTerminal(["demo"], folder, isolated(folder), size);
    expect(code, screen).toBe(0);
    for (const theme of ["light", "dark"] as const)
      for (const [name, title] of [
        ["up", "[2/8] Bring up the workspace"],
        ["drift", "[5/8] Detect the drift"],
      ] as const) {
        const picture = drawTerminal(title, stepOf(lines, title).map(withoutChance), theme);
        await expect(picture).toMatchFileSnapshot(
          join(repository, `docs/pictures/demo-${name}-${theme}.svg`),
        );
      }
  },
);

it("the README is short", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(130);
});

/** Returns the whole output of a step of the demo. */
function stepOf(lines: readonly ScreenLine[], title: string): readonly ScreenLine[] {
  const from = lines.findIndex((line) => joinText(line) === title);
  const length = lines.slice(from).findIndex((line) => /^\(\d+\.\d s\)$/.test(joinText(line)));
  return lines.slice(from, from + length + 1);
}

/** Replaces what differs between two runs. */
const withoutChance = (line: ScreenLine): ScreenLine =>
  line.map((part) => ({
    ...part,
    text: part.text.replace(/\d+\.\d s/g, "1.0 s").replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080"),
  }));

/** Returns a port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
