/** Which settings of Git name a program, or bring in something that does, and the values with which none runs. */
// cspell:ignore guitool difftool instaweb mergetool receivepack uploadpack sendemail
import { devNull } from "node:os";

/** A name as Git's documentation writes it, where `*` stands for the part that the user chooses; and the value that switches it off. */
const SETTINGS: Readonly<Record<string, string>> = {
  "alias.*": "",
  "browser.*.cmd": "",
  "browser.*.path": "",
  "core.alternateRefsCommand": "",
  "core.askPass": "",
  "core.editor": "false",
  "core.fsmonitor": "false",
  "core.gitProxy": "",
  "core.hooksPath": devNull,
  "core.pager": "",
  "core.sshCommand": "false",
  "credential.helper": "",
  "credential.*.helper": "",
  "diff.external": "",
  "diff.guitool": "",
  "diff.tool": "",
  "diff.*.command": "",
  "diff.*.textconv": "",
  "difftool.*.cmd": "",
  "difftool.*.path": "",
  "filter.*.clean": "",
  "filter.*.process": "",
  "filter.*.required": "false",
  "filter.*.smudge": "",
  "gpg.program": "false",
  "gpg.*.program": "false",
  "gpg.ssh.defaultKeyCommand": "",
  "guitool.*.cmd": "",
  "help.browser": "",
  "hook.*.command": "",
  "hook.*.event": "",
  "hook.*.enabled": "false",
  "imap.tunnel": "",
  "init.templateDir": "",
  "instaweb.browser": "",
  "instaweb.httpd": "",
  "instaweb.modulePath": "",
  "interactive.diffFilter": "",
  "log.showSignature": "false",
  "man.viewer": "",
  "man.*.cmd": "",
  "man.*.path": "",
  "merge.guitool": "",
  "merge.tool": "",
  "merge.verifySignatures": "false",
  "merge.*.driver": "",
  "mergetool.*.cmd": "",
  "mergetool.*.path": "",
  "pager.*": "false",
  "protocol.allow": "never",
  "protocol.*.allow": "never",
  "receive.procReceiveRefs": "",
  "remote.*.receivepack": "false",
  "remote.*.uploadpack": "false",
  "remote.*.vcs": "",
  "sendemail.aliasesFile": "",
  "sendemail.ccCmd": "",
  "sendemail.headerCmd": "",
  "sendemail.sendmailCmd": "",
  "sendemail.smtpServer": "",
  "sendemail.toCmd": "",
  "sendemail.*.aliasesFile": "",
  "sendemail.*.ccCmd": "",
  "sendemail.*.headerCmd": "",
  "sendemail.*.sendmailCmd": "",
  "sendemail.*.smtpServer": "",
  "sendemail.*.toCmd": "",
  "sequence.editor": "false",
  "submodule.recurse": "false",
  "submodule.*.update": "none",
  "svn.authorsProg": "",
  "svn-remote.*.authors-prog": "",
  "tar.*.command": "",
  "trailer.*.cmd": "",
  "trailer.*.command": "",
  "uploadpack.packObjectsHook": "",
  "web.browser": "",
};

/** Off in every run, because they also keep Git from starting programs of its own. */
const ALWAYS: Readonly<Record<string, string>> = {
  "gc.auto": "0",
  "maintenance.auto": "false",
  "safe.bareRepository": "explicit",
};

/** Sections and last names are compared without case, as Git does. What is between them is the user's. */
function matches(pattern: string, name: string): boolean {
  const [head, last] = [pattern.split(".")[0] ?? "", pattern.split(".").at(-1) ?? ""];
  const [section, rest] = [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)];
  if (section.toLowerCase() !== head.toLowerCase()) return false;
  // `pager.*` and `alias.*`: everything of the section.
  if (last === "*") return true;
  const middle = pattern.split(".").slice(1, -1).join(".");
  const at = rest.lastIndexOf(".");
  const isLast = rest.slice(at + 1).toLowerCase() === last.toLowerCase();
  return isLast && (middle === "*" ? at > 0 : middle === (at < 0 ? "" : rest.slice(0, at)));
}

/** Returns the value with which a setting names no program; undefined for one that never names any. */
export function switchOff(name: string): string | undefined {
  const pattern = Object.keys(SETTINGS).find((one) => matches(one, name));
  return pattern === undefined ? undefined : SETTINGS[pattern];
}

/**
 * Returns all settings of a run of Git.
 * @param names settings that its repository has
 */
export function listSettingsOff(names: readonly string[]): readonly (readonly [string, string])[] {
  const known = Object.entries(SETTINGS).filter(([name]) => !name.includes("*"));
  const own = names.flatMap((name) => {
    const value = switchOff(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return [...new Map([...known, ...own, ...Object.entries(ALWAYS)])];
}
