/** Provides the sources of secrets for a workspace file: the environment, files and the stack configuration. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Secrets } from "./secrets.js";

/** Number of secrets in the stack configuration, each of which requires a command per stack. */
const CONFIGURED = 1;

export interface Planted {
  readonly known?: boolean;
  readonly shown?: boolean;
  readonly fixed?: boolean;
}

export class Sources {
  readonly env: Record<string, string> = {};
  readonly config: Record<string, string> = {};
  private readonly renew: (() => void)[] = [];
  private count = 0;

  /** @param inputs the folder of the files, inside that of the workspace file */
  constructor(
    private readonly secrets: Secrets,
    private readonly inputs: string,
  ) {}

  /**
   * Returns a placeholder for a new secret.
   * @param is.known whether the argument itself is known to be secret. Otherwise the placeholder marks it.
   * @param is.shown whether only the file marks it as secret, and the service shows it. Default: if it is not known.
   * @param is.fixed whether it never changes
   */
  placeholder(where: string, is: Planted = {}): string {
    this.secrets.text(where, is.shown ?? !is.known);
    const number = this.secrets.latest;
    // Arguments that accept any text also get characters that JSON, addresses or line breaks would change.
    const value = () => {
      const secret = this.secrets.again(number);
      return is.known ? `${secret} "q" & ü=\\\n${secret}` : secret;
    };
    const say = is.known ? "" : "secret:";
    const name = `PLANTED_${number}`;
    this.count += 1;
    if (this.count % 3 === 0) {
      const write = () => writeFileSync(join(this.inputs, name), value());
      write();
      if (!is.fixed) this.renew.push(write);
      return `\${${say}file:inputs/${name}}`;
    }
    if (this.count % 3 === 1 && Object.keys(this.config).length < CONFIGURED) {
      this.config[name] = value();
      return `\${${say}config:${name}}`;
    }
    const set = () => (this.env[`WORKSPACE_VAR_${name}`] = value());
    set();
    if (!is.fixed) this.renew.push(set);
    return `\${${say}env:${name}}`;
  }

  /** Replaces all secrets, except for those in the configuration. */
  rotate(): void {
    for (const one of this.renew) one();
  }
}
