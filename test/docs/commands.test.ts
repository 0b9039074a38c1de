/** Checks that commands on the pages exist, with the options that they are shown with. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { buildCommandTree } from "../../cli/program.js";
import { processIo } from "../../cli/terminal/io.js";

const root = resolve(import.meta.dirname, "../..");
const pages = globSync(["README.md", "docs/**/*.md"], { cwd: root });
const program = buildCommandTree(processIo(), () => () => Promise.resolve());

it.each(pages)("%s shows only commands and options that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const unknown = commandsIn(text).flatMap((command) =>
    problemsOf(command).map((one) => `${command}: ${one}`),
  );
  expect(unknown).toEqual([]);
});

it("every command has a page, and the index has the anchors that older links name", () => {
  const shown = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== "help");
  const names = shown.map((command) => command.name());
  const files = globSync("*.md", { cwd: join(root, "docs/reference/commands") });
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.md`).toSorted());
  const index = readFileSync(join(root, "docs/reference/commands.md"), "utf8");
  const subcommands = shown.flatMap((command) =>
    command.commands.filter((one) => one.name() !== "help").map((one) => `${command.name()}-${one.name()}`),
  );
  for (const anchor of [...names, ...subcommands]) expect(index).toContain(`<a id="${anchor}"></a>`);
});

it("an unknown command or option is found", () => {
  expect(problemsOf("workspacectl drift accept --stack us --dry-run")).toEqual([]);
  expect(problemsOf("workspacectl drift --no-such")).toEqual(["--no-such"]);
  expect(problemsOf("workspacectl no-such")).toEqual(["no-such"]);
});

/** Returns the commands in blocks and in the text, up to what a shell would take for itself. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|console|bash|)\n([\s\S]*?)^ *```$/gm)].flatMap(
    ([, block = ""]) =>
      block
        .split(/\n| {3,}/)
        .map(
          (line) => /^\s*(?:\$ )?(?:npx (?:--no-install )?)?(workspacectl [a-z].*)$/.exec(line)?.[1] ?? "",
        ),
  );
  const inline = [...text.matchAll(/`(workspacectl [a-z][^`]*)`/g)].map(([, command = ""]) =>
    command.replace(/\s+/g, " "),
  );
  return [...blocks, ...inline]
    .filter((command) => command !== "")
    .map((command) => command.split(/ [#|&>;]/)[0] ?? "");
}

function problemsOf(line: string): string[] {
  const [, ...words] = line.split(/[\s[\]]+/).filter((word) => word !== "");
  let command: Command = program;
  const chain = [program];
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) break;
    command = next;
    chain.push(next);
  }
  const first = words[0] ?? "";
  if (chain.length === 1 && /^[a-z-]+$/.test(first) && first !== "help") return [first];
  const known = new Set(["--help", ...chain.flatMap((one) => one.options.map(({ long }) => long))]);
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  return own
    .flatMap((word) => /^(--[a-z][a-z-]*)/.exec(word)?.[1] ?? [])
    .filter((option) => !known.has(option));
}
