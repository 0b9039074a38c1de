/** Pastes the first block of the README into a shell, and draws the pictures of the README from the output. */
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { ensurePulumi } from "../../cli/toolchain/index.js";
import { terminalPicture } from "../../scripts/pictures/terminal.js";
import { openShell, withoutChance } from "./guide.js";
import { install } from "./installed-project.js";
import { installedPulumi, isolated, repository, temporaryFolder } from "./support.js";

const readme = readFileSync(join(repository, "README.md"), "utf8");
const themes = ["light", "dark"] as const;

it(
  "the block of the README runs when pasted, and its pictures show its output",
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder();
    await install(folder);
    await ensurePulumi();
    const { PULUMI_CONFIG_PASSPHRASE: _, ...env } = isolated(folder);
    const shell = openShell(folder, { ...env, ...installedPulumi(), FORCE_COLOR: "1" });
    const block = /^```sh\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? "";
    // The test installs the same files without a registry.
    const [installs = "", ...rest] = block.split("\n");
    expect(installs).toMatch(/^npm install --save-exact \.\/vendor\//);

    const port = String(await freePort());
    const printed = stripVTControlCharacters(await shell.run(rest.join("\n").replaceAll("8080", port)));
    expect(printed).toMatch(/Done: \d+ created/);
    expect(printed).toMatch(/projects\/web/);
    expect(await shell.run("echo $?")).toBe("7");

    const drift = await shell.run("npx workspacectl drift");
    await shell.run('sed -i \'s/"22"/"24"/; s/npm test/npm test, npm run deploy/\' workspace.yaml');
    const plan = await shell.run("npx workspacectl preview");
    for (const theme of themes) {
      await drawn("drift", terminalPicture("workspacectl drift", shown(drift), theme), theme);
      await drawn("plan", terminalPicture("workspacectl preview", shown(plan), theme), theme);
    }

    function shown(output: string): string {
      const lines = withoutChance(output).replaceAll(port, "8080").split("\n");
      const from = lines.findIndex((line) => stripVTControlCharacters(line).startsWith("Workspace "));
      const left = /^(Requests|Fingerprint)/;
      return lines
        .slice(from)
        .filter((line) => !left.test(stripVTControlCharacters(line)))
        .join("\n")
        .replaceAll("0.0 s", "1.0 s")
        .trimEnd();
    }
  },
);

it("the README is short", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(151);
});

async function drawn(name: string, picture: string, theme: string): Promise<void> {
  await expect(picture).toMatchFileSnapshot(join(repository, `docs/pictures/${name}-${theme}.svg`));
}

/** Returns a port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
