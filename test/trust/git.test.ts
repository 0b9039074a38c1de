/** Git runs on the clone that we have found, and nothing that a checkout or a setting names runs with it. */
// cspell:ignore askpass smtpserver templatedir mergetool uploadpackfilter difftool gitcvs rerere cachetextconv xfuncname guitool sendemail
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openClone } from "../../trust/git.js";
import { listSettingsOff, switchOff } from "../../trust/git-settings.js";

const AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "git-")));
  root = join(folder, "shop");
  mkdirSync(root);
  writeFileSync(marking(), `#!/bin/sh\necho "$@" >>"${join(folder, "marks")}"\ncat\n`);
  chmodSync(marking(), 0o755);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that leaves a mark. */
const marking = () => join(folder, "marking");
const hasRun = () => existsSync(join(folder, "marks"));
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", [...AUTHOR, ...args], { cwd, stdio: "pipe" }).toString();
const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const env = () => ({ PATH: process.env["PATH"], HOME: folder });

function makeClone(): void {
  git(root, "init", "--quiet", "--initial-branch=main");
  write(join(root, "teams/web.yaml"), "version: 1\n");
  write(join(root, ".gitattributes"), "*.yaml filter=mark diff=mark\n");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "Begin");
}

/** Puts a repository without a working tree into a folder, as ordinary files. */
function embed(at: string): void {
  for (const name of ["objects", "refs"]) write(join(at, name, ".keep"), "");
  write(join(at, "HEAD"), "ref: refs/heads/main\n");
  write(join(at, "config"), `[core]\n\tfsmonitor = ${marking()}\n\tworktree = ${root}\n`);
}

describe("the repository", () => {
  it("is the clone around a folder, from any folder of it", async () => {
    makeClone();
    const clone = await openClone(join(root, "teams"), env());
    expect(clone.root).toBe(root);
    expect((await clone.run("rev-parse", "--show-toplevel")).text.trim()).toBe(root);
  });

  it.each(["teams", ""])("is refused when the files of %j make one", async (at) => {
    if (at !== "") makeClone();
    embed(join(root, at));
    await expect(openClone(join(root, at), env())).rejects.toThrow("contains HEAD, objects and refs");
    expect(hasRun()).toBe(false);
  });

  it("is refused when a file named .git leads to ordinary files", async () => {
    embed(join(root, "inner"));
    write(join(root, ".git"), "gitdir: inner\n");
    await expect(openClone(root, env())).rejects.toThrow("ordinary files of the checkout");
  });

  it("is refused when a file named .git below leads to ordinary files of the clone", async () => {
    makeClone();
    embed(join(root, "inner"));
    for (const named of ["../inner", "../inner/../inner"]) {
      write(join(root, "teams/.git"), `gitdir: ${named}\n`);
      await expect(openClone(join(root, "teams"), env())).rejects.toThrow("ordinary files of the checkout");
    }
    expect(hasRun()).toBe(false);
  });

  it("may be a submodule, or a work tree of another clone", async () => {
    makeClone();
    const tree = join(folder, "tree");
    git(root, "worktree", "add", "--quiet", "--detach", tree);
    const clone = await openClone(tree, env());
    expect((await clone.run("rev-parse", "--show-toplevel")).text.trim()).toBe(tree);
    const outer = join(folder, "outer");
    mkdirSync(outer);
    git(outer, "init", "--quiet");
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", root, "sub");
    expect((await openClone(join(outer, "sub"), env())).root).toBe(join(outer, "sub"));
  });

  it("is not that of GIT_DIR in the environment", async () => {
    makeClone();
    embed(join(folder, "other"));
    const given = { ...env(), GIT_DIR: join(folder, "other"), GIT_CONFIG_COUNT: "1" };
    expect((await openClone(root, given)).root).toBe(root);
    expect(hasRun()).toBe(false);
  });
});

describe("a program that a setting names", () => {
  const everything = [
    "core.fsmonitor",
    "core.sshCommand",
    "core.editor",
    "core.pager",
    "diff.external",
    "diff.mark.textconv",
    "diff.mark.command",
    "filter.mark.clean",
    "filter.mark.smudge",
    "filter.mark.process",
    "FILTER.mark.Clean",
    "filter.a.b.clean",
    "gpg.program",
    "pager.diff",
    "alias.diff",
  ];

  async function useAll() {
    const clone = await openClone(root, env());
    // A new time of a file makes Git read it, and with that run its filters.
    write(join(root, "teams/web.yaml"), "version: 1\n# changed\n");
    write(join(root, ".git/hooks/post-checkout"), `#!/bin/sh\n${marking()}\n`);
    chmodSync(join(root, ".git/hooks/post-checkout"), 0o755);
    const tree = join(folder, "tree");
    const results = [
      await clone.run("diff", "--name-only", "--no-ext-diff", "--no-textconv", "HEAD"),
      await clone.run("ls-files", "--others", "--exclude-standard"),
      await clone.run("show", "--no-textconv", "HEAD:teams/web.yaml"),
      await clone.run("worktree", "add", "--quiet", "--detach", tree, "HEAD"),
      await clone.run("worktree", "remove", "--force", tree),
    ];
    expect(results.map(({ ok, problem }) => (ok ? "" : problem))).toEqual(results.map(() => ""));
    return results[0]?.text;
  }

  it("does not run from the clone's own settings, also as required ones", async () => {
    makeClone();
    for (const name of everything)
      git(root, "config", name, name.startsWith("alias") ? `!${marking()}` : marking());
    git(root, "config", "filter.mark.required", "true");
    expect(await useAll()).toBe("teams/web.yaml\n");
    expect(hasRun()).toBe(false);
  });

  it("does not run from a file that they include, or from the user's settings", async () => {
    makeClone();
    const text = `[core]\n\tfsmonitor = ${marking()}\n[filter "mark"]\n\tclean = ${marking()}\n\tsmudge = ${marking()}\n`;
    write(join(root, "team.config"), text);
    git(root, "config", "include.path", "../team.config");
    write(join(folder, ".gitconfig"), text);
    await useAll();
    expect(hasRun()).toBe(false);
  });

  it("would run without this", () => {
    makeClone();
    git(root, "config", "filter.mark.clean", marking());
    write(join(root, "teams/web.yaml"), "version: 1\n# changed\n");
    git(root, "diff", "--name-only");
    expect(hasRun()).toBe(true);
  });

  it("is refused when its name cannot be switched off", async () => {
    makeClone();
    git(root, "config", "filter.a=b.clean", marking());
    await expect(openClone(root, env())).rejects.toThrow("cannot be switched off");
  });

  it("is not looked for in the working directory when PATH is empty", async () => {
    makeClone();
    write(join(root, "git"), `#!/bin/sh\n${marking()}\n`);
    chmodSync(join(root, "git"), 0o755);
    for (const PATH of ["", ".", root])
      await expect(openClone(root, { PATH })).rejects.toThrow(
        "the program git was not found in a folder of PATH",
      );
    expect(hasRun()).toBe(false);
  });
});

/** Words in the names of settings that name programs. */
const SUSPICIOUS =
  /comm?and|program|cmd|prog$|helper|editor|pager|hook|driver|textconv|external|viewer|tool|process|clean|smudge|askpass|proxy|tunnel|browser|httpd|vcs|pack$|sendmail|smtpserver$|fsmonitor|\.allow$|alias|templatedir|modulepath|update$/i;
/** What these words mean otherwise: values of them are numbers, switches, addresses, texts or names of files. */
const HARMLESS =
  /^(advice|color|column|completion|fsck|fetch\.fsck|receive\.fsck|gui|mergetool\.(?!<)|uploadpackfilter|difftool\.(?!<))\.?|^(clean\.requireForce|commit\.cleanup|core\.fsmonitorHookVersion|gitcvs\.dbDriver|http\.proxy\w*|http\.<url>\.\*|remote\.<name>\.(proxy\w*|push|fetch)|rerere\.autoUpdate|diff\.<driver>\.(binary|cachetextconv|wordRegex|xfuncname|trustExitCode)|fsmonitor\.\w+|guitool\.<name>\.(?!cmd)\w+|mergetool\.<tool>\.(hideResolved|trustExitCode)|notes\.rewrite\.<command>|sendemail\.(aliasFileType|smtpServerOption|smtpServerPort)|index\.\w+|pack\.\w+|repack\.\w+|merge\.<driver>\.(name|recursive)|rebase\.abbreviateCommands|receive\.(shallowUpdate|updateServerInfo)|remote\.<name>\.skipDefaultUpdate|sendemail\.forbidSendmailVariables|trailer\.\w+|submodule\.<name>\.(?!update)\w+|transfer\.\w+)$/i;

describe("Git's own list of settings", () => {
  const documented = execFileSync("git", ["help", "--config"]).toString().split("\n");
  const names = documented.filter((line) => /^[a-z][\w-]*\.\S+$/i.test(line));

  it("is read", () => {
    expect(names.length).toBeGreaterThan(400);
    expect(names).toContain("core.hooksPath");
  });

  it("has none that names a program and that we do not know", () => {
    const unknown = names.filter(
      (name) =>
        SUSPICIOUS.test(name) &&
        !HARMLESS.test(name) &&
        switchOff(name.replaceAll(/<[^>]*>|(?<=\.)\*/g, "x")) === undefined,
    );
    expect(unknown).toEqual([]);
  });

  it("would not pass a new one", () => {
    for (const name of ["core.newHelper", "diff.<driver>.filterCommand", "backup.program"]) {
      expect(SUSPICIOUS.test(name) && !HARMLESS.test(name), name).toBe(true);
      expect(switchOff(name.replaceAll(/<[^>]*>/g, "x"))).toBeUndefined();
    }
  });
});

it("switches off each setting of a repository by its own name", () => {
  const off = new Map(
    listSettingsOff(["Filter.lfs.Process", "pager.log", "user.name", "credential.https://x.y.helper"]),
  );
  expect(off.get("Filter.lfs.Process")).toBe("");
  expect(off.get("pager.log")).toBe("false");
  expect(off.get("credential.https://x.y.helper")).toBe("");
  expect(off.has("user.name")).toBe(false);
});
