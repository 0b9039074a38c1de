/** Attacks by files of a checkout that are links, pipes, or something else than their names say. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Attack, Target } from "./target.js";

/** A document that is fine, with more text in it. */
export function document(more: string): string {
  return `version: 1\nworkspace: acme\n${more}`;
}

export const group = (description: string) =>
  `groups:\n  QA: { description: ${JSON.stringify(description)} }\n`;
/** The state of the checkout counts only where the environment names no backend. */
export const withoutBackend = (): NodeJS.ProcessEnv => ({ PULUMI_BACKEND_URL: "", PULUMI_ACCESS_TOKEN: "" });

const link = (target: Target, path: string, to: string): void => {
  const file = join(target.checkout, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true, recursive: true });
  symlinkSync(to, file);
};

function pipe(target: Target, path: string): void {
  const file = join(target.checkout, path);
  rmSync(file, { force: true });
  execFileSync("mkfifo", [file]);
}

export const fileAttacks: readonly Attack[] = [
  {
    name: "files of the job in names and texts",
    apply: (target, random) => {
      const path = random.pick([
        ".git/config",
        ".env",
        ".npmrc",
        "../home/.aws/credentials",
        `${target.home}/.ssh/id_ed25519`,
        "/proc/self/environ",
        "link/credentials",
        "../victim/notes.yaml",
      ]);
      link(target, "link", join(target.home, ".aws"));
      const kind = random.pick(["file", "secret:file"]);
      const form = `\${${kind}:${path}}`;
      target.file(
        "workspace.yaml",
        document(random.chance(0.5) ? group(form) : `groups:\n  QA: { name: "n ${form}" }\n`),
      );
    },
  },
  {
    name: "includes and overlays that are files of tools",
    apply: (target, random) => {
      const path = random.pick([".git/config", ".env", ".npmrc", "notes.yaml", "../victim/notes.yaml"]);
      link(target, "notes.yaml", join(target.victim, "notes.yaml"));
      link(target, "workspace.dev.yaml", join(target.home, ".aws/credentials"));
      target.file("workspace.yaml", `include: [${path}]\n${document(group("x"))}`);
    },
  },
  {
    name: "a workspace file that is a link to a file of the user's",
    apply: (target, random) =>
      link(
        target,
        "workspace.yaml",
        join(target.home, random.pick([".aws/credentials", ".npmrc", ".git-credentials", ".netrc"])),
      ),
  },
  {
    name: "stack and project files that are links to files of the user's",
    apply: (target, random) => {
      link(
        target,
        random.pick(["Pulumi.yaml", "Pulumi.dev.yaml", "people.yaml", "drift-ignore.yaml"]),
        join(target.home, ".aws/credentials"),
      );
    },
  },
  {
    name: "a state folder and reports that are links to the victim's files",
    apply: (target) => {
      link(target, ".pulumi-state", target.victim);
      for (const report of ["preview.md", "drift.json", "report.html", "plan.json"])
        link(target, report, join(target.victim, "notes.yaml"));
    },
    env: withoutBackend,
  },
  {
    name: "a state folder whose parts are links to the victim's files",
    apply: (target, random) => {
      const part = random.pick([
        ".pulumi",
        ".pulumi/stacks",
        ".pulumi/locks",
        ".pulumi/backups",
        ".pulumi/stacks/workspace-automation/dev.json",
        ".gitignore",
        "backups",
      ]);
      link(target, `.pulumi-state/${part}`, target.victim);
      link(target, "reports", target.victim);
    },
    env: withoutBackend,
  },
  {
    name: "pipes in place of files",
    apply: (target, random) => {
      const path = random.pick([
        "workspace.yaml",
        "workspace.dev.yaml",
        "Pulumi.yaml",
        "Pulumi.dev.yaml",
        "people.yaml",
        "drift-ignore.yaml",
        "fleet.yaml",
        "notes.yaml",
      ]);
      if (path === "notes.yaml")
        target.file("workspace.yaml", `include: [${path}]\n${document(group("${file:notes.yaml}"))}`);
      pipe(target, path);
    },
  },
  {
    name: "credentials that the job has written into the checkout, as parts of the workspace",
    apply: (target, random) => {
      const secret = target.secrets.text("credentials that the job has written");
      const path = random.pick([
        "creds.json",
        "creds.yaml",
        "workspace.dev.yaml",
        "people.yaml",
        "Pulumi.yaml",
      ]);
      const text = random.pick([
        JSON.stringify({ type: "service_account", version: 1, private_key: secret }, null, 1),
        `[default]\nkey = ${secret}\n`,
        `token: *${secret}\n`,
        `- ${secret}\n`,
      ]);
      target.file(path, text);
      if (path.startsWith("creds"))
        target.file("workspace.yaml", `include: creds.*\n${document(group("x"))}`);
    },
  },
];
