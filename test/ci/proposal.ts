/** A stand-in for GitHub and GitLab in which tests play the scripts that open pull requests, with real Git. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { temporaryFolder } from "../cli/support.js";

interface Proposal {
  /** The artifact of the job before. */
  readonly artifact: string;
  /** The file that it changes, with its text. */
  readonly file: string;
  readonly text: string;
  /** Texts in the artifact besides the patch. */
  readonly reports: Readonly<Record<string, string>>;
}

/** A repository with a file, and the artifact of the job before, which changes it. @param open number of the open pull request */
export async function makeProposal(
  { artifact, file: name, text, reports }: Proposal,
  change: ((text: string) => string) | undefined,
  open = "",
) {
  const folder = temporaryFolder();
  const [origin, trusted, before] = ["origin.git", "trusted", artifact].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const env = {
    PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${pathToFileURL(origin).href}.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://git.example.com/o/r",
  };
  const git = (cwd: string, ...words: string[]) => execa("git", words, { cwd, env });
  await git(folder, "init", "--quiet", "--bare", "--initial-branch=main", origin);
  await git(origin, "config", "receive.advertisePushOptions", "true");
  await git(folder, "clone", "--quiet", origin, trusted);
  const file = join(trusted, name);
  writeFileSync(file, text);
  await git(trusted, "add", "--all");
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  await git(trusted, ...author, "commit", "--quiet", "--message", "Begin");
  await git(trusted, "push", "--quiet", "origin", "HEAD:main");
  let patch = "";
  if (change !== undefined) {
    writeFileSync(file, change(readFileSync(file, "utf8")));
    for (const other of [
      "evil.sh",
      ".gitlab-ci.yml",
      ".github/workflows/evil.yml",
      "teams/.evil/evil.yaml",
    ]) {
      mkdirSync(dirname(join(trusted, other)), { recursive: true });
      writeFileSync(join(trusted, other), "echo: evil\n");
      await git(trusted, "add", "--intent-to-add", other);
    }
    patch = `${(await git(trusted, "diff")).stdout}\n`;
  }
  await git(trusted, "reset", "--quiet", "--hard");
  mkdirSync(before);
  writeFileSync(join(before, `${artifact}.patch`), patch);
  for (const [report, said] of Object.entries(reports)) writeFileSync(join(before, report), said);
  mkdirSync(join(folder, "bin"));
  const asked = join(folder, "asked");
  writeFileSync(
    join(folder, "bin/gh"),
    `#!/bin/sh\necho "gh $*" >> "${asked}"\ncase "$1 $2" in "pr list") echo "${open}" ;; esac\n`,
  );
  chmodSync(join(folder, "bin/gh"), 0o755);
  return {
    play: (script: string, more: Record<string, string>) =>
      execa("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
        cwd: trusted,
        reject: false,
        all: true,
        env: { ...env, ...more },
      }),
    shown: async (branch: string, ...words: string[]) => (await git(origin, "show", ...words, branch)).stdout,
    asked: () => (existsSync(asked) ? readFileSync(asked, "utf8") : ""),
  };
}
