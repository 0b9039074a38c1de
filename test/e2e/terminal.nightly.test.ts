/** Tests what a terminal shows: a plan that is updated in place while it is applied, and each result at two widths, with colors and without. */
import { readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { chooseStories } from "../stories.js";
import { editByHand, setUp } from "./support.js";
import { hasPseudoTerminal, inTerminal } from "./terminal.js";

/** Colors of the foreground that are readable on light and dark screens, and what is no color: bold, dim, and their ends. */
const READABLE = new Set(["", "0", "1", "2", "22", "31", "32", "33", "35", "36", "39"]);
const ESC = String.fromCharCode(27);

const stylesIn = (raw: string) =>
  [...raw.matchAll(new RegExp(`${ESC}\\[([\\d;]*)m`, "g"))].map(([, style]) => style);

/** Number of lines that contain a text. */
const linesWith = (screen: string, text: string) =>
  screen.split("\n").filter((line) => line.includes(text)).length;

it.skipIf(!hasPseudoTerminal).each(chooseStories([80, 120], 1))(
  "is updated in place, %d columns wide",
  async (columns) => {
    const { file, folder, env } = await setUp();
    const { code, raw, screen } = await inTerminal(
      ["up", "--yes", "--create-stack", "-f", file],
      folder,
      env,
      {
        columns,
      },
    );
    expect(code, screen).toBe(0);
    const tree = screen.slice(screen.indexOf("acme · stack dev"));
    // Each object is there once, with a tick in the place of its sign, and the plan's own closing line is gone.
    expect(tree.match(/^ *✓ /gm)).toHaveLength(14);
    expect(tree).not.toMatch(/^ *[-+~] |Plan: /m);
    for (const name of ["REGION", "pipeline Deploy", "Restart the service", "Starts:"])
      expect(linesWith(tree, name), name).toBe(1);
    expect(tree).toMatch(/\nDone: 41 created, 0 updated, 0 deleted, 0 unchanged \(\d+\.\d s\)\.$/);
    // No line is longer than the screen, and none begins in the middle of a word or with the sign between two items.
    const lines = tree.split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    expect(lines.filter((line) => /^ *·/.test(line))).toEqual([]);
    expect(tree).toContain("cleo@example.com (release-engineers)");
    expect(stylesIn(raw).filter((style) => !READABLE.has(style ?? ""))).toEqual([]);
    expect(stylesIn(raw).length).toBeGreaterThan(20);
    // The cursor is visible again.
    expect(raw.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(raw.lastIndexOf(`${ESC}[?25l`));
  },
);

it.skipIf(!hasPseudoTerminal)(
  "replaces the prompt, has no style with NO_COLOR, and asks for the name before a pipeline is deleted",
  async () => {
    const { file, folder, env, run } = await setUp();
    expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("NODE_ENV: production", "NODE_ENV: staging"));
    const changed = await inTerminal(
      ["up", "-f", file],
      folder,
      { ...env, NO_COLOR: "1" },
      {
        columns: 80,
        typed: [["Apply this plan?", "y"]],
      },
    );
    expect(changed.code, changed.screen).toBe(0);
    // What the prompt writes is its library's.
    const ours = changed.raw.slice(0, changed.raw.indexOf("Apply this plan?"));
    expect(stylesIn(ours).filter((style) => style !== "39" && style !== "0")).toEqual([]);
    expect(changed.screen).toMatch(
      /^acme · stack dev · \S+\n\n {2}project web\n {2}✓ variable NODE_ENV(?: {2}\d\.\d s)?\n {6}value {2}"production" → "staging"\n\nDone: 0 created, 1 updated, 0 deleted, 40 unchanged/,
    );
    writeFileSync(file, readFileSync(file, "utf8").replace(/ {6}Nightly checks:[^]*?(?=\n {2}api:)/, ""));
    const refused = await inTerminal(["up", "-f", file], folder, env, {
      columns: 80,
      typed: [["Type dev to confirm", "yes\r"]],
    });
    expect(refused.screen).toContain("Nothing was changed.");
    const deleted = await inTerminal(["up", "-f", file], folder, env, {
      columns: 80,
      typed: [["Type dev to confirm", "dev\r"]],
    });
    expect(deleted.screen).toMatch(/✓ pipeline Nightly checks {2}with 2 actions/);
    expect(deleted.screen).toContain("Done: 0 created, 0 updated, 4 deleted, 37 unchanged");
    expect([refused.code, deleted.code]).toEqual([4, 0]);
  },
);

it.skipIf(!hasPseudoTerminal)("shows only what runs where a plan does not fit on the screen", async () => {
  const { file, folder, env } = await setUp();
  const { code, screen } = await inTerminal(["up", "--yes", "--create-stack", "-f", file], folder, env, {
    columns: 80,
    rows: 16,
  });
  expect(code, screen).toBe(0);
  expect(screen).toContain("+ project web");
  expect(screen).not.toContain("✓");
  expect(screen).toContain("Plan: 41 to create, 0 to update, 0 to delete, 0 unchanged.");
  expect(screen).toMatch(/Done: 41 created/);
});

/** Lines that are wider than the terminal, without those that show a value or a command whole on purpose. */
const tooWide = (raw: string, columns: number) =>
  stripVTControlCharacters(raw)
    .split("\r\n")
    .filter((line) => line.length > columns && !/^ *([-+] "|accept: |revert: |value {2}")/.test(line));

it.skipIf(!hasPseudoTerminal)(
  "shows drift, a preview and a destruction within 80 or 120 columns, in color or without",
  async () => {
    const { file, folder, env, run, emulator } = await setUp();
    expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
    const long = "Who meets on Fridays, and whoever else is around and wants to help with the next release";
    await editByHand(emulator, ["PATCH", "groups", "Developers"], { description: long });
    await editByHand(emulator, ["DELETE", "groups", "QA"]);
    const look = async (argv: readonly string[], columns: number, noColor: boolean) => {
      const environment = noColor ? { ...env, NO_COLOR: "1" } : env;
      const { code, raw, screen } = await inTerminal([...argv, "-f", file], folder, environment, { columns });
      const shown = `${argv.join(" ")} at ${columns} columns:\n${screen}`;
      expect(tooWide(raw, columns), shown).toEqual([]);
      const styles = stylesIn(raw);
      if (noColor) expect(styles, shown).toEqual([]);
      else
        expect([styles.length > 5, styles.filter((style) => !READABLE.has(style ?? ""))]).toEqual([true, []]);
      expect(screen.match(/^(Plan|Done|Drift|No drift|No changes): /gm), shown).toHaveLength(1);
      return { code, screen };
    };
    const screens = [
      [80, false],
      [120, true],
    ] as const;
    for (const [columns, noColor] of chooseStories(screens, 1)) {
      const drift = await look(["drift"], columns, noColor);
      expect(drift.code).toBe(7);
      expect(drift.screen).toContain("\nDrift: 2 deleted, 1 changed, 38 as declared, ");
      const text = readFileSync(file, "utf8");
      writeFileSync(file, text.replace(/ {6}Nightly checks:[^]*?(?=\n {2}api:)/, ""));
      const preview = await look(["preview"], columns, noColor);
      expect(preview.code).toBe(0);
      expect(preview.screen).toContain("\nPlan: 2 to create, 1 to update, 4 to delete, ");
      writeFileSync(file, text);
      const refused = await look(["destroy", "--yes"], columns, noColor);
      expect(refused.code).toBe(1);
      expect(refused.screen).toMatch(/\nerror: refused, nothing was changed: 3 guards:\n {2}max-deletes: /);
    }
    const all = ["--max-deletes", "50", "--allow-delete", "**", "--include-protected"];
    const destroyed = await look(["destroy", "--yes", ...all], 80, true);
    expect(destroyed.screen).toContain("\nDone: 0 created, 0 updated, 41 deleted, 0 unchanged ");
  },
);
