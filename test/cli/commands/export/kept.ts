/** Provides a workspace that matches its file, and manual changes to either. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../../emulator/index.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { emulated, type Person, personAt } from "../../service-support.js";
import { type Ran, temporaryFolder } from "../../support.js";
import { apply } from "./apply.js";

/** A workspace that matches its file, which is in a folder of its own. */
export class Kept {
  readonly folder = temporaryFolder();
  readonly person: Person;

  private constructor(readonly emulator: Emulator) {
    this.person = personAt(emulator);
  }

  /** @param folder an example that is copied */
  static async of(
    files: Readonly<Record<string, string>>,
    env: NodeJS.ProcessEnv = {},
    folder?: string,
  ): Promise<Kept> {
    const kept = new Kept(await emulated({ echoMemberEmail: true }));
    if (folder !== undefined) cpSync(folder, kept.folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(kept.folder, name), text);
    Object.assign(kept.person.env, env);
    const { declarations } = readDeclarations(kept.file(), { env: { ...env }, mock: true });
    await apply(kept.emulator, declarations);
    kept.emulator.journal.clear();
    return kept;
  }

  file(name = "workspace.yaml"): string {
    return join(this.folder, name);
  }

  text(name?: string): string {
    return readFileSync(this.file(name), "utf8");
  }

  /** Changes the file as its author would. */
  write(text: string): void {
    writeFileSync(this.file(), text);
  }

  /** Changes the workspace by hand. */
  async edit(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> {
    const answer = await this.emulator.edit({
      method,
      path: `/workspaces/acme${path}`,
      ...(body ? { body } : {}),
    });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer));
    return answer.body as Record<string, unknown>;
  }

  async numberOf(path: string, list: string, name: string, key = "name"): Promise<number> {
    const body = await this.edit("GET", path);
    const found = (body[list] as Record<string, unknown>[]).find((one) => one[key] === name);
    return Number(found?.["id"]);
  }

  async export(...options: string[]): Promise<Ran> {
    const ran = await this.person.types(["export", "-o", this.file(), ...options]);
    const mask = (text: string) =>
      text.replaceAll(`${this.folder}/`, "").replaceAll(this.emulator.baseUrl, "URL");
    return { ...ran, stdout: mask(ran.stdout), stderr: mask(ran.stderr) };
  }
}
