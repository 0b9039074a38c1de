/** The account of a process whose user number nobody has named, as containers have it (OpenShift, `docker run --user`). */
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
  if (process.platform === "win32") return;
  const account = findAccount();
  env["HOME"] ||= account?.homedir ?? "/";
  env["USER"] ||= account?.username ?? `user-${process.getuid?.()}`;
}
