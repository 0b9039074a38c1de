/**
 * A stack on which Pulumi's engine works. Its CLI is run as a child process; for a workspace file it takes program, provider and the
 * reader of its events from this process, over one connection, so that no other Node.js is started.
 */
import { execa } from "execa";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { maskTexts } from "../../../client/index.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";
import type { FileProgram } from "../host/file-program.js";

/** Who is told of an operation while it runs, and who may interrupt it. */
export interface Watch {
  readonly onEvent?: (event: EngineEvent) => void;
  /** What the CLI writes to its error output. */
  readonly onError?: (text: string) => void;
  /** The CLI has written to its standard output. */
  readonly onOutput?: () => void;
  /** Each event "abort" interrupts the CLI once. */
  readonly signal?: AbortSignal;
}

/** What is common to operations that have a plan. */
export interface UpdateOptions extends Watch {
  /** Read the workspace into the state first. */
  readonly refresh?: boolean;
  /** Path of Pulumi's own plan: a preview writes it, an update keeps to it. */
  readonly plan?: string;
  /** Only these objects, as patterns of URNs. */
  readonly target?: readonly string[];
}

/** A state as `pulumi stack export` prints it. */
export interface ExportedState {
  readonly version: number;
  readonly deployment: unknown;
}

export class EngineStack {
  /** Variables of the engine and the provider. Each operation takes those that are set when it begins. */
  variables: Readonly<Record<string, string>>;

  /** @param program the workspace file; absent for a program of the user's in the folder of the CLI */
  constructor(
    readonly name: string,
    private readonly cli: PulumiCli,
    private readonly program?: FileProgram,
  ) {
    this.variables = cli.env;
  }

  /**
   * A message without the file's secrets. Where the service repeats one in an error, only the file tells that it is one.
   */
  hide(message: string): string {
    return maskTexts(message, this.program?.secrets ?? []);
  }

  preview(options: UpdateOptions): Promise<void> {
    const { plan } = options;
    return this.run(
      ["preview", ...updateFlags(options), ...(plan === undefined ? [] : ["--save-plan", plan])],
      options,
    );
  }

  /** Changes the workspace, without a preview of its own. */
  up(options: UpdateOptions & { readonly continueOnError?: boolean }): Promise<void> {
    const { plan, continueOnError } = options;
    const flags = [
      ...(continueOnError ? ["--continue-on-error"] : []),
      ...(plan === undefined ? [] : ["--plan", plan]),
    ];
    return this.run(["up", "--yes", "--skip-preview", ...updateFlags(options), ...flags], options);
  }

  /** Reads the workspace into the state. */
  refresh(watch: Watch): Promise<void> {
    return this.run(["refresh", "--skip-preview", "--yes"], watch);
  }

  /** Deletes all that is in the state; with `previewOnly` tells only what that would be. */
  destroy(
    options: Watch & { readonly previewOnly?: boolean; readonly excludeProtected?: boolean },
  ): Promise<void> {
    const { previewOnly, excludeProtected } = options;
    const mode = previewOnly ? ["--preview-only"] : ["--yes", "--skip-preview"];
    return this.run(["destroy", ...mode, ...(excludeProtected ? ["--exclude-protected"] : [])], options);
  }

  /** The state, secrets in clear. */
  async exportStack(): Promise<ExportedState> {
    const text = await runPulumi(this.cli, ["stack", "export", "--show-secrets", "--stack", this.name]);
    return JSON.parse(text) as ExportedState;
  }

  async importStack(state: ExportedState): Promise<void> {
    await runPulumi(this.cli, ["stack", "import", "--stack", this.name], JSON.stringify(state));
  }

  /** @throws {Error} when the CLI fails, with what it said */
  private async run(args: readonly string[], { onEvent, onError, onOutput, signal }: Watch): Promise<void> {
    const { attach } = await import("../host/attached.js");
    const attached = await attach({
      env: this.variables,
      ...(this.program ? { program: this.program } : {}),
      onEvent: (event) => onEvent?.(event),
    });
    let orderly = false;
    try {
      const running = execa(
        this.cli.command,
        [...args, ...attached.flags, "--stack", this.name, "--non-interactive"],
        {
          cwd: this.cli.cwd,
          env: { PULUMI_DEBUG_COMMANDS: "true", ...attached.variables },
          stdin: "ignore",
          buffer: { stdout: false, stderr: true },
          reject: false,
          forceKillAfterDelay: false,
        },
      );
      running.stderr.on("data", (text: Buffer) => onError?.(text.toString()));
      running.stdout.on("data", () => onOutput?.());
      signal?.addEventListener("abort", () => running.kill("SIGINT"));
      const { exitCode, failed, stderr } = await running;
      orderly = exitCode !== undefined;
      if (failed) throw new Error(stderr || `pulumi ${args[0]} ended with exit code ${exitCode ?? "none"}`);
    } finally {
      attached.close(orderly);
    }
  }
}

function updateFlags({ refresh, target = [] }: UpdateOptions): string[] {
  return [...(refresh ? ["--refresh"] : []), ...target.flatMap((urn) => ["--target", urn])];
}
