/** Where a workspace file takes its secrets from: the environment, files, the stack's configuration. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Secrets } from "./secrets.js";

/** How many come from the stack's configuration: each is set by a command of its own, for each stack. */
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

  /** @param inputs the folder of the files, below that of the workspace file */
  constructor(
    private readonly secrets: Secrets,
    private readonly inputs: string,
  ) {}

  /**
   * A placeholder for a new secret.
   * @param is.known whether the argument itself is known to be secret; else the placeholder says it
   * @param is.shown whether nothing but the file says that it is secret, and the service shows it; default: if it is not known
   * @param is.fixed whether it stays as it is for ever
   */
  placeholder(where: string, is: Planted = {}): string {
    this.secrets.text(where, is.shown ?? !is.known);
    const number = this.secrets.latest;
    // Where any text is taken, also what is written otherwise in JSON, in an address, or over several lines.
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
    const set = () => (this.env[name] = value());
    set();
    if (!is.fixed) this.renew.push(set);
    return `\${${say}env:${name}}`;
  }

  /** Other secrets in all the same places, save the configuration. */
  rotate(): void {
    for (const one of this.renew) one();
  }
}
