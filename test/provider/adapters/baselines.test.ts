/**
 * Tells random stories of an encrypted variable: its file names the secret in other ways, runs know the secret or not, flags change, requests
 * fail, somebody edits it by hand. Whatever happened, an `up` that knows the secret ends with the declared value in the service, and the next
 * change by hand is seen, also by a run that does not know the secret.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../../client/index.js";
import { asSecret } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import type { ResourceProvider } from "../../../provider/adapters/resource-provider.js";
import { Session } from "../../../provider/connection/session.js";
import {
  buildReferringInputs,
  createReferringText,
  getDefinition,
  NOT_COMPARED,
  READ_ONLY_VARIABLE,
} from "../../../provider/index.js";
import { listUnverifiable } from "../../../resources/index.js";
import { providerIn } from "../engine.js";

type Props = Record<string, unknown>;

interface InState {
  readonly id: string;
  readonly inputs: Props;
  readonly outs: Props;
}

const forms = ["literal", "env:A", "secret:env:A", "secret:env:B"] as const;
const names = { A: "WORKSPACE_VAR_A", B: "WORKSPACE_VAR_B" };

/** A workspace file with one variable, the state of its stack, and who works on them. */
class Story {
  private form: (typeof forms)[number] = "literal";
  private secret = "first";
  private flags: Props = { encrypted: true };
  private state: InState | undefined;
  private edits = 0;
  private readonly api: WorkspaceAutomationClient;

  constructor(
    private readonly emulator: Emulator,
    private readonly key: string,
  ) {
    this.api = new WorkspaceAutomationClient({ baseUrl: emulator.baseUrl, token: emulator.token });
  }

  write(form: (typeof forms)[number]): void {
    this.form = form;
  }

  rotate(): void {
    this.secret = `secret-${(this.edits += 1)}`;
  }

  flag(flags: Props): void {
    this.flags = { encrypted: true, ...flags };
  }

  /** Somebody changes the value in the service. */
  async edit(encrypted: boolean, value = `by-hand-${(this.edits += 1)}`): Promise<void> {
    this.emulator.faults.clear();
    if (this.state !== undefined)
      await this.api.variables.update("acme", this.number, { key: this.key, value, encrypted });
  }

  /** A state without the object, from which nobody has deleted it. */
  forget(): void {
    this.state = undefined;
  }

  /** The next change fails, or its response is lost. */
  fail(kind: "status" | "reset-after"): void {
    const path = new RegExp(`/variables/${this.state === undefined ? 0 : this.number}$`);
    this.emulator.faults.add({ kind, method: "PATCH", path, status: 400 });
  }

  /** What Pulumi's engine does in an `up`: also where nothing changes, it stores the declared arguments, and not the outputs. */
  async up(isKnown = true, refreshes = true): Promise<void> {
    const provider = this.provider(isKnown);
    if (this.state === undefined) {
      const { inputs } = await provider.check({}, { ...this.declared, adopt: true });
      this.state = { inputs, ...(await provider.create(inputs)) };
      return;
    }
    const before = refreshes ? await this.read(provider, this.state) : this.state;
    const { inputs } = await provider.check(before.inputs, this.declared);
    const { changes } = await provider.diff(before.id, before.outs, inputs, before.inputs);
    this.state = before;
    const { outs } = changes ? await provider.update(before.id, before.outs, inputs) : before;
    this.state = { ...before, inputs, outs };
  }

  async refresh(isKnown: boolean): Promise<void> {
    if (this.state !== undefined) this.state = await this.read(this.provider(isKnown), this.state);
  }

  /** What a read-only run finds: a change, a value that it cannot verify, or neither. */
  async look(isKnown: boolean): Promise<"changed" | "not verifiable" | "as declared"> {
    const provider = this.provider(isKnown, { [READ_ONLY_VARIABLE]: "ab".repeat(32) });
    const { id, inputs: old, outs } = await this.read(provider, this.state!);
    const { inputs } = await provider.check(old, this.declared);
    const { changes } = await provider.diff(id, outs, inputs, old);
    if (changes) return "changed";
    const unverifiable = listUnverifiable(getDefinition("Variable"), inputs, outs);
    return [...unverifiable, ...((outs[NOT_COMPARED] ?? []) as unknown[])].length > 0
      ? "not verifiable"
      : "as declared";
  }

  /** The form in which the service shows the value, and the form of the declared one. */
  async forms(): Promise<readonly [unknown, unknown]> {
    const shown = await this.api.variables.get("acme", this.number);
    await this.edit(true, this.secret);
    const declared = await this.api.variables.get("acme", this.number);
    return [shown.value, declared.value];
  }

  private get number(): number {
    return Number(this.state?.id.split("/").at(-1));
  }

  private get declared(): Props {
    const [kind, origin, name = ""] = this.form.split(":");
    const value =
      kind === "secret" && origin === "env"
        ? buildReferringInputs({ value: createReferringText([{ origin, name }], []) })
        : { value: asSecret(this.secret) };
    return { key: this.key, ...this.flags, ...value };
  }

  private provider(isKnown: boolean, more: Record<string, string> = {}): ResourceProvider {
    const { baseUrl, token } = this.emulator;
    const session = new Session({ baseUrl, token, workspace: "acme", allowInsecure: false });
    const env = { ...(isKnown ? { [names.A]: this.secret, [names.B]: this.secret } : {}), ...more };
    const has = (_object: unknown, _argument: string, { name }: { name: string }) =>
      this.form === `secret:env:${name}`;
    const references = { has, file: () => undefined };
    return providerIn(session, "Variable", { env, print: () => undefined, references });
  }

  private async read(provider: ResourceProvider, { id, inputs, outs }: InState): Promise<InState> {
    const { props, inputs: read } = await provider.read(id, outs, inputs);
    return { id, inputs: read, outs: props };
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), form: fc.constantFrom(...forms) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("up" as const), known: fc.boolean(), refresh: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("edit" as const), encrypted: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refresh" as const), known: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("flag" as const),
      flags: fc.constantFrom({}, { encrypted: false }, { valueManaged: false }, { sshKey: true }),
    }),
  },
  fc.record({ do: fc.constant("rotate" as const) }),
  fc.record({ do: fc.constant("forget" as const) }),
  fc.record({
    do: fc.constant("fail" as const),
    kind: fc.constantFrom("status" as const, "reset-after" as const),
  }),
);

async function take(story: Story, one: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  switch (one.do) {
    case "write":
      return story.write(one.form);
    case "up":
      // A run may fail, such as one that needs a secret that it does not know.
      return story.up(one.known, one.refresh).catch(() => undefined);
    case "edit":
      return story.edit(one.encrypted);
    case "refresh":
      return story.refresh(one.known);
    case "flag":
      return story.flag(one.flags);
    case "rotate":
      return story.rotate();
    case "forget":
      return story.forget();
    case "fail":
      return story.fail(one.kind);
  }
}

const seed = Number(process.env["SEED"] ?? 20261128);
const numRuns = Number(process.env["RUNS"] ?? 15);

describe("whatever happened to an encrypted variable", () => {
  it(`its next change by hand is seen (seed ${seed})`, async () => {
    let number = 0;
    const emulator = await startEmulator({ rateLimit: 1_000_000 });
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 8 }),
          fc.constantFrom(...forms),
          fc.boolean(),
          async (steps, form, isKnown) => {
            const story = new Story(emulator, `A${(number += 1)}`);
            await story.up();
            for (const one of steps) await take(story, one);
            story.write(form);
            story.flag({});
            emulator.faults.clear();
            await story.up();
            const [shown, declared] = await story.forms();
            expect(shown).toBe(declared);
            expect(await story.look(true)).toBe("as declared");
            await story.edit(true);
            expect(await story.look(isKnown || form === "literal" || form === "env:A")).toBe("changed");
            expect(await story.look(false)).toBe("changed");
          },
        ),
        { seed, numRuns },
      );
    } finally {
      await emulator.close();
    }
  });
});
