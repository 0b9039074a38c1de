/** Writes the journal of a run whose state Pulumi writes only at the end. */
import { sha256 } from "../../digest.js";
import { mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { hasSecret } from "../../../diff/values.js";
import type { Step, StepLog } from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import { ownerOf } from "../stack/process-owner.js";
import { encryption, withEncrypted, type Encrypt } from "./encryption.js";
import type { Header, RegisteredOptions } from "./journal-file.js";
import type { StateEntry } from "../stack/state.js";

export interface JournalTarget {
  readonly file: string;
  readonly stateFile: string;
  /** `encryptionsalt` of the stack's settings. */
  readonly salt: string;
  /** Environment with the passphrase. */
  readonly env: Readonly<Record<string, string>>;
}

export class StepJournal implements StepLog {
  private before: { state: string; resources: ReadonlyMap<string, StateEntry> } | undefined;
  private readonly registered = new Map<string, RegisteredOptions>();
  private encrypt: Promise<Encrypt> | undefined;
  private fd: number | undefined;
  private failure: Error | undefined;
  private removed = false;

  /** Creates only the folder. The first step creates the file, when the engine has locked the stack. */
  constructor(private readonly target: JournalTarget) {
    mkdirSync(dirname(target.file), { recursive: true, mode: 0o700 });
  }

  /** Records the options of a registered object. */
  register(urn: string, registered: RegisteredOptions): void {
    this.registered.set(urn, registered);
  }

  /** Records the program's new options of an object that the engine does not change. */
  async recordRegistered(urn: string): Promise<void> {
    const [said, before] = [this.registered.get(urn), this.atStart().resources.get(urn)];
    if (said === undefined || (before === undefined && said.formerly.length === 0)) return;
    if (before === undefined || differs(said, before)) await this.record({ op: "registered", urn });
  }

  async record(step: Step): Promise<void> {
    try {
      const registered = this.registered.get(step.urn);
      const said =
        step.op === "created" || step.op === "failed" || step.op === "deleted" ? undefined : registered;
      const line = { at: new Date().toISOString(), ...step, ...(said ? { registered: said } : {}) };
      this.append(hasSecret(line) ? withEncrypted(line, await this.encryption()) : line);
    } catch (error) {
      this.failure ??= error as Error;
    }
  }

  ensureWritable(): void {
    if (this.failure === undefined) return;
    throw new CliError(
      `the journal ${this.target.file} cannot be written (${this.failure.message}), so no further operation is started: fix this, ` +
        "or use --checkpoint every",
    );
  }

  /**
   * Closes the journal, and removes it if the engine has written the state.
   * @param exited the engine has exited on its own
   * @returns whether the state contains every step that the engine has acknowledged
   */
  end(exited: boolean): boolean {
    if (!exited) return false;
    if (this.fd === undefined) return true;
    if (this.readState() === this.atStart().state) return false;
    this.removed = true;
    rmSync(this.target.file, { force: true });
    return true;
  }

  /** The state after the engine has locked the stack and before it writes anything. */
  private atStart(): { state: string; resources: ReadonlyMap<string, StateEntry> } {
    if (this.before === undefined) {
      const state = this.readState();
      this.before = { state, resources: new Map(resourcesIn(state).map((one) => [one.urn, one])) };
    }
    return this.before;
  }

  private readState(): string {
    return readFileSync(this.target.stateFile, "utf8");
  }

  private encryption(): Promise<Encrypt> {
    this.encrypt ??= encryption(this.target.salt, this.target.env);
    return this.encrypt;
  }

  private append(line: unknown): void {
    if (this.removed) return;
    // The failed write may have left half a line.
    let text = `${this.failure ? "\n" : ""}${JSON.stringify(line)}\n`;
    if (this.fd === undefined) {
      const { target } = this;
      const owner = ownerOf(process.pid);
      const state = sha256(this.atStart().state);
      const header: Header = { state, salt: target.salt, ...(owner ? { owner } : {}) };
      text = `${JSON.stringify(header)}\n${text}`;
      this.fd = openSync(target.file, "wx", 0o600);
    }
    const bytes = Buffer.from(text);
    if (writeSync(this.fd, bytes) < bytes.length) throw new Error("the disk is full");
  }
}

function resourcesIn(state: string): readonly StateEntry[] {
  const { checkpoint } = JSON.parse(state) as {
    checkpoint?: { latest?: { resources?: readonly StateEntry[] } };
  };
  return checkpoint?.latest?.resources?.filter((one) => !one.delete) ?? [];
}

function differs(said: RegisteredOptions, before: StateEntry): boolean {
  const sorted = (texts: readonly string[] = []) => texts.toSorted().join("\n");
  return (
    said.protect !== (before["protect"] ?? false) ||
    said.retainOnDelete !== (before["retainOnDelete"] ?? false) ||
    sorted(said.dependencies) !== sorted(before.dependencies) ||
    sorted(said.ignoreChanges) !== sorted(before["ignoreChanges"])
  );
}
