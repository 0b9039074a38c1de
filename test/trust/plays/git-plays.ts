/** Plays with Git: settings, hooks, variables and repositories that name a program, each of which would leave a mark. */
// cspell:ignore askpass commondir partialclonefilter gitlink
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { AutomationError } from "../../../automation/errors.js";
import { openClone } from "../../../trust/git.js";
import { switchOff } from "../../../trust/git-settings.js";
import { environment, type Play } from "./judge.js";

export const GIT = "Git";

/** A clone in a folder of its own, and a program that leaves a mark and does nothing else. */
class Site {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "git-play-")));
  readonly root = join(this.folder, "shop");
  readonly program = join(this.folder, "marking");
  private readonly markFile = join(this.folder, "marks");

  constructor() {
    cpSync(template(), this.root, { recursive: true });
    this.write("../marking", `#!/bin/sh\necho "$0" >>"${this.markFile}"\ncat\n`, true);
    // A new time of a file makes Git read it, and with that run its filters.
    this.write("teams/web.yaml", "version: 1\n# changed\n");
  }

  write(path: string, text: string, executable = false): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (executable) chmodSync(file, 0o755);
    return file;
  }

  git(...args: string[]): string {
    return execFileSync("git", ["-C", this.root, ...args], { stdio: "pipe" }).toString();
  }

  marks(): string[] {
    const written = existsSync(this.markFile) ? readFileSync(this.markFile, "utf8").trim().split("\n") : [];
    return [...written, ...["trace"].filter((name) => existsSync(join(this.folder, name)))];
  }
}

let made: string | undefined;
function template(): string {
  if (made !== undefined) return made;
  const root = mkdtempSync(join(tmpdir(), "git-template-"));
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  mkdirSync(join(root, "teams"));
  writeFileSync(join(root, "teams/web.yaml"), "version: 1\n");
  writeFileSync(join(root, ".gitattributes"), "*.yaml filter=mark diff=mark merge=mark\n");
  git("add", "--all");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "Begin");
  return (made = root);
}

/** Every way in which commands of a fleet use Git. */
async function useGit(site: Site, env: NodeJS.ProcessEnv): Promise<unknown> {
  const clone = await openClone(join(site.root, "teams"), {
    ...environment,
    PATH: process.env["PATH"],
    HOME: site.folder,
    ...env,
  });
  const tree = join(site.folder, "tree");
  const run = async (...args: string[]) => {
    const { ok, text, problem } = await clone.run(...args);
    // Commands of a fleet end then.
    if (!ok) throw new AutomationError(problem, "mend the clone");
    return text;
  };
  const diff = await run("diff", "--name-only", "--no-ext-diff", "--no-textconv", "-z", "HEAD", "--", ".");
  await run("ls-files", "--others", "--exclude-standard", "-z");
  const before = await run("show", "--no-textconv", "HEAD:teams/web.yaml");
  await run("worktree", "add", "--quiet", "--detach", tree, "HEAD");
  await run("worktree", "remove", "--force", tree);
  return [relative(site.root, clone.root), diff.includes("teams/web.yaml"), before];
}

type Trick = (site: Site) => NodeJS.ProcessEnv | void;

function playOf(title: string, trick: Trick): Play {
  let site: Site | undefined;
  return {
    ...{ kind: GIT, title, programs: ["git"], expected: ["", true, "version: 1\n"] },
    act: async () => {
      site = new Site();
      return useGit(site, trick(site) ?? {});
    },
    marks: () => site?.marks() ?? [],
  };
}

/** Settings that name programs, by Git's own list. */
function listSettings(): string[] {
  const names = execFileSync("git", ["help", "--config"]).toString().split("\n");
  return names
    .filter((line) => /^[a-z][\w-]*\.\S+$/i.test(line))
    .map((name) => name.replaceAll(/<[^>]*>|(?<=\.)\*/g, "mark"))
    .filter((name) => switchOff(name) !== undefined);
}

const sectionOf = (name: string, program: string): string => {
  const [section = "", ...rest] = name.split(".");
  const [last = "", middle] = [rest.at(-1), rest.slice(0, -1).join(".")];
  const value = section === "alias" ? `!${program}` : program;
  return `[${section}${middle === "" ? "" : ` "${middle}"`}]\n\t${last} = ${JSON.stringify(value)}\n`;
};

const PLACES: Readonly<Record<string, (site: Site, text: string) => NodeJS.ProcessEnv | void>> = {
  "the clone": (site, text) => void site.write(".git/config", `${readConfig(site)}${text}`),
  "a file that the clone includes": (site, text) => {
    site.write("team.config", text);
    site.git("config", "include.path", "../team.config");
  },
  "the work tree": (site, text) => {
    site.git("config", "extensions.worktreeConfig", "true");
    site.write(".git/config.worktree", text);
  },
};
/** Where no clone is needed, all settings at once. */
const OUTSIDE: Readonly<Record<string, (site: Site, text: string) => NodeJS.ProcessEnv | void>> = {
  "the user's home": (site, text) => void site.write("../.gitconfig", text),
  "the user's other folder": (site, text) => void site.write("../.config/git/config", text),
  "a file for some folders": (site, text) => {
    site.write("team.config", text);
    site.git("config", `includeIf.gitdir:${site.root}/.path`, join(site.root, "team.config"));
  },
  GIT_CONFIG_GLOBAL: (site, text) => ({ GIT_CONFIG_GLOBAL: site.write("theirs.config", text) }),
  GIT_CONFIG_SYSTEM: (site, text) => ({ GIT_CONFIG_SYSTEM: site.write("theirs.config", text) }),
  XDG_CONFIG_HOME: (site, text) => {
    site.write("theirs/git/config", text);
    return { XDG_CONFIG_HOME: join(site.root, "theirs") };
  },
};
const readConfig = (site: Site) => readFileSync(join(site.root, ".git/config"), "utf8");

const HOOKS = [
  ...["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc", "post-rewrite"],
  ...["fsmonitor-watchman", "pre-commit", "post-merge", "proc-receive", "sendemail-validate"],
];

const PROGRAM_VARIABLES = [
  ...["GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND"],
  ...["GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "PAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN"],
] as const;
const TRACES = [
  ...["GIT_TRACE", "GIT_TRACE_SETUP", "GIT_TRACE_PACKET", "GIT_TRACE_PERFORMANCE", "GIT_TRACE2"],
  ...["GIT_TRACE2_EVENT", "GIT_TRACE2_PERF", "GIT_TRACE_REFS", "GIT_TRACE_FSMONITOR"],
] as const;
const FOLDER_VARIABLES = [
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE"],
  ...["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_SHALLOW_FILE"],
  ...["GIT_NAMESPACE", "GIT_REPLACE_REF_BASE", "GIT_GRAFT_FILE", "GIT_ATTR_SOURCE"],
] as const;

/** Puts a repository without a working tree into a folder, as ordinary files. */
function embed(site: Site, at: string): void {
  for (const name of ["objects", "refs"]) site.write(join(at, name, ".keep"), "");
  site.write(join(at, "HEAD"), "ref: refs/heads/main\n");
  site.write(join(at, "config"), `[core]\n\tfsmonitor = ${site.program}\n\tworktree = ${site.root}\n`);
}

const REPOSITORIES: Readonly<Record<string, Trick>> = {
  "a repository of ordinary files in the folder": (site) => embed(site, "teams"),
  "a repository of ordinary files above": (site) => embed(site, "."),
  "a repository of ordinary files elsewhere, in GIT_DIR": (site) => {
    embed(site, "theirs");
    return { GIT_DIR: join(site.root, "theirs") };
  },
  "a .git that is a link into the checkout": (site) => {
    embed(site, "theirs");
    symlinkSync("../theirs", join(site.root, "teams/.git"));
  },
  "a .git that names a folder of the checkout": (site) => {
    embed(site, "theirs");
    site.write("teams/.git", "gitdir: ../theirs\n");
  },
  "a .git that names the clone in a roundabout way": (site) => {
    embed(site, "theirs");
    site.write("teams/.git", "gitdir: ../theirs/../../shop/theirs\n");
  },
  "a work tree whose common folder is of the checkout": (site) => {
    embed(site, "theirs");
    site.write("theirs/tree/HEAD", "ref: refs/heads/main\n");
    site.write("theirs/tree/commondir", "..\n");
    site.write("teams/.git", "gitdir: ../theirs/tree\n");
  },
  "a submodule that updates with a command": (site) => {
    site.write(".gitmodules", `[submodule "sub"]\n\tpath = sub\n\turl = ./x\n\tupdate = !${site.program}\n`);
    site.git("config", "submodule.sub.update", `!${site.program}`);
    site.git("config", "submodule.recurse", "true");
    site.git("update-index", "--add", "--cacheinfo", `160000,${site.git("rev-parse", "HEAD").trim()},sub`);
  },
  "objects of another repository": (site) => {
    embed(site, "theirs");
    site.write(".git/objects/info/alternates", join(site.root, "theirs/objects"));
    site.git("config", "core.alternateRefsCommand", site.program);
  },
  "a partial clone whose missing objects come from a program": (site) => {
    site.git("config", "remote.origin.url", `ext::${site.program}`);
    site.git("config", "remote.origin.promisor", "true");
    site.git("config", "remote.origin.partialclonefilter", "blob:none");
    site.git("config", "remote.origin.uploadpack", site.program);
    site.git("config", "protocol.ext.allow", "always");
    site.git("config", "extensions.partialClone", "origin");
    const blob = site.git("rev-parse", "HEAD:teams/web.yaml").trim();
    execFileSync("rm", ["-f", join(site.root, ".git/objects", blob.slice(0, 2), blob.slice(2))]);
  },
  "attributes of the clone itself": (site) => {
    site.write(".git/info/attributes", "* filter=mark diff=mark\n");
    for (const name of ["clean", "smudge", "process"])
      site.git("config", `filter.mark.${name}`, site.program);
  },
  "a replaced commit": (site) => {
    site.git("config", "core.useReplaceRefs", "true");
    site.git("config", "filter.mark.clean", site.program);
    site.write(".git/info/grafts", `${site.git("rev-parse", "HEAD").trim()}\n`);
  },
  "a program named git in the checkout": (site) => {
    site.write("git", `#!/bin/sh\n"${site.program}"\n`, true);
    return { PATH: `${site.root}:.:${process.env["PATH"]}` };
  },
  "a monitor that Git has itself": (site) => void site.git("config", "core.fsmonitor", "true"),
};

export function* gitPlays(): Generator<Play> {
  for (const name of listSettings())
    for (const [place, write] of Object.entries(PLACES))
      yield playOf(`${name} in ${place}`, (site) => write(site, sectionOf(name, site.program)));
  for (const [place, write] of Object.entries(OUTSIDE))
    yield playOf(`all settings in ${place}`, (site) =>
      write(
        site,
        listSettings()
          .map((name) => sectionOf(name, site.program))
          .join(""),
      ),
    );
  for (const hook of HOOKS) {
    yield playOf(`hook ${hook}`, (site) => void site.write(`.git/hooks/${hook}`, hookText(site), true));
    yield playOf(`hook ${hook} in a folder of the checkout`, (site) => {
      site.write(`hooks/${hook}`, hookText(site), true);
      site.git("config", "core.hooksPath", "hooks");
    });
  }
  for (const name of PROGRAM_VARIABLES) yield playOf(name, (site) => ({ [name]: site.program }));
  for (const name of TRACES) yield playOf(name, (site) => ({ [name]: join(site.folder, "trace") }));
  for (const name of FOLDER_VARIABLES)
    yield playOf(name, (site) => {
      embed(site, "theirs");
      site.write("theirs/git-diff", hookText(site), true);
      return { [name]: join(site.root, "theirs") };
    });
  yield playOf("settings in GIT_CONFIG_COUNT", (site) => ({
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: site.program,
  }));
  yield playOf("settings in GIT_CONFIG_PARAMETERS", (site) => ({
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${site.program}'`,
  }));
  for (const [title, trick] of Object.entries(REPOSITORIES)) yield playOf(title, trick);
}

const hookText = ({ program }: Site) => `#!/bin/sh\n"${program}" </dev/null\n`;

/** What Git does without us in a clone with such a setting: the proof that a play can fail. */
export function runPlainGit(): readonly string[] {
  const site = new Site();
  site.git("config", "filter.mark.clean", site.program);
  site.git("diff", "--name-only");
  return site.marks();
}
