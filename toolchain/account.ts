/** The account of a process whose user number nobody has named, as containers have it (OpenShift, `docker run --user`). */
import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";

/** The user of this process by the system's list; undefined where the list does not contain it. */
export function findAccount(): { readonly username: string; readonly homedir: string } | undefined {
  try {
    return userInfo();
  } catch {
    return undefined;
  }
}

/** Sets the variables without which libraries and Pulumi end at once: HOME, to what Docker sets it to, and USER. */
export function completeAccount(env: NodeJS.ProcessEnv): void {
  if (process.platform === "win32" || (env["HOME"] && env["USER"])) return;
  const account = findAccount();
  env["HOME"] ||= account?.homedir ?? "/";
  env["USER"] ||= account?.username ?? `user-${process.getuid?.()}`;
}

/** Whether this process may write to a file or folder that exists. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
