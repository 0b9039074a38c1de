/** Tests cli/foreign-words.ts. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { foreignCommands } from "../../cli/foreign-words.js";
import { buildCommandTree } from "../../cli/program.js";
import { run, temporaryFolder, testIo } from "./support.js";

const tree = buildCommandTree(testIo().io, () => () => Promise.resolve());
const namesOf = (command: typeof tree) => command.commands.flatMap((one) => [one.name(), ...one.aliases()]);

/** Names each word of a command line that should be a command and is none. */
function findWrongWord(line: string): string | undefined {
  let at = tree;
  for (const word of line.split(" ")) {
    const next = at.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
    if (next === undefined) return at.commands.length > 0 && /^[a-z]/.test(word) ? word : undefined;
    at = next;
  }
  return undefined;
}

describe("the words of other tools", () => {
  it.each([
    [["get", "groups"], 'Did you mean "workspacectl state list"?'],
    [["describe", "groups/QA"], 'Did you mean "workspacectl state show NAME"?'],
    [["delete", "groups/QA"], 'Did you mean "workspacectl destroy"?'],
    [["taint", "x"], 'Here: delete its entry, use up, and add it again, then "workspacectl up"'],
    [["force-unlock", "7"], 'Did you mean "workspacectl stack unlock"?'],
    [["rollout", "undo"], "revert the commit in Git"],
    [["logs"], 'Did you mean "workspacectl executions show"?'],
    [["state", "rm", "groups/QA"], "retain: true"],
    [["state", "repair"], 'Did you mean "workspacectl stack repair"?'],
    [["undo"], "revert the commit in Git (what was changed outside: drift revert)"],
    [["report", "--help"], "--format FORM=FILE"],
    [["state", "mv", "--help"], "previously: [OLD-NAME]"],
    [["history", "groups/QA", "-c", "eu"], "this command needs no connection"],
    [["fmt", "-check"], "Did you mean --check?"],
    [["refresh", "--yes"], "this command asks no question"],
    [["stack", "use"], 'Did you mean "workspacectl stack select"?'],
    [["fmt", "-f", "ws"], "an argument without an option"],
    [["up", "--target", "groups/QA"], "Here, that is --only PATTERN"],
    [["up", "-auto-approve"], "Here, that is --yes"],
    [["preview", "-refresh-only"], 'Here, that is the command "workspacectl drift"'],
    [["up", "-var", "a=b"], "config set KEY VALUE"],
  ])("%j is answered with ours", async (argv, answer) => {
    const { code, stderr } = await run(argv);
    expect(code).toBe(1);
    expect(stderr).toContain("unknown ");
    expect(stderr).toContain(answer);
  });

  it("help names a command within a command", async () => {
    const { code, stdout } = await run(["help", "drift", "accept"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: workspacectl drift accept");
    expect((await run(["help", "drift", "no"])).code).toBe(1);
  });

  it("a file as an argument is answered with -f", async () => {
    for (const command of ["preview", "validate"])
      expect((await run([command, "workspace.yaml"])).stderr).toContain("(Here, that is -f workspace.yaml)");
    expect((await run(["version", "workspace.yaml"])).stderr).toContain("too many arguments");
  });

  it("a name as an argument is answered with --only, and for import with the file", async () => {
    expect((await run(["up", "groups/QA"])).stderr).toContain("(Here, that is --only groups/QA)");
    expect((await run(["apply", "tfplan"])).stderr).toContain(
      "(Here, that is --plan tfplan, for a saved plan)",
    );
    expect((await run(["import", "projects/web", "7"])).stderr).toContain(
      "the workspace file says what to import",
    );
  });

  it("-out names no file ut", async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await run(["preview", "-f", `${folder}/workspace.yaml`, "-out", "plan"]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--save-plan") as string,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves the words of Pulumi to Pulumi, and similar words to the suggestion", async () => {
    expect((await run(["stat"])).stderr).toContain("Did you mean state?");
    const { stderr } = await run(["pulumi", "-f", `${temporaryFolder()}/none/workspace.yaml`, "--", "-out"]);
    expect(stderr).not.toContain("--save-plan");
  });

  it("stands in no way of a command of ours, and names only commands that exist", () => {
    for (const [word, ours] of Object.entries(foreignCommands)) {
      const [group = "", name] = word.split(" ");
      const taken =
        name === undefined
          ? namesOf(tree)
          : namesOf(tree.commands.find((one) => one.name() === group) ?? tree);
      expect(taken, word).not.toContain(name ?? group);
      const command = typeof ours === "string" ? ours : "then" in ours ? ours.then : ours[0];
      expect(findWrongWord(command), word).toBeUndefined();
    }
  });
});
