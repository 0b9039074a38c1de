/** One run of the provider: a connection, and a context for each workspace that is worked on. */
import { WorkspaceAutomationClient, type ClientOptions, type RateLimitWait } from "../../client/index.js";
import type { Connection } from "./connection.js";
import { Context } from "../definition/context.js";
import type { Fields } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { Mentioned } from "../crud/deletion-guard.js";
import { definitions } from "../resources/registry.js";
import { noJournal, type Journal } from "../recovery/create-journal.js";
import type { RequestCounter } from "./request-counter.js";
import { Reads } from "../crud/read-cache.js";
import { renamesIn } from "../crud/renames.js";
import { isImporting } from "../crud/import-mode.js";

type Env = Readonly<Record<string, string | undefined>>;

/** One line a minute is enough for people who watch: the countdown itself ticks every second. */
function waitLine({ resetAt, remainingMs, waiting, asked }: RateLimitWait): string {
  const seconds = Math.ceil(remainingMs / 1000);
  const why = asked ? "the service asks for a pause" : "rate limit reached";
  return `${why}: ${waiting} requests wait ${seconds} s, until ${resetAt.toISOString()}`;
}

export class Session {
  /** In what the run still declares something. */
  readonly mentioned: Mentioned;
  private readonly contexts = new Map<string, Context>();
  private readonly client: WorkspaceAutomationClient;

  constructor(
    private readonly connection: Connection,
    tell: (line: string) => void = () => {},
    debug?: (line: string) => void,
    private readonly journal: Journal = noJournal,
    private readonly meter?: RequestCounter,
    client: Partial<ClientOptions> = {},
    private readonly env: Env = process.env,
  ) {
    this.mentioned = new Mentioned(
      definitions.filter(({ protect }) => protect),
      env,
    );
    this.client = new WorkspaceAutomationClient({
      baseUrl: connection.baseUrl,
      token: connection.token,
      allowInsecure: connection.allowInsecure,
      ...(debug ? { debug } : {}),
      ...(meter ? { onExchange: meter.exchanged } : {}),
      onProgress: (event) => {
        if (event.type === "rate-limit-wait") tell(waitLine(event));
      },
      ...client,
    });
  }

  /** The context of the workspace that these arguments name, or of the connection's. */
  context(args: Fields): Context {
    const named = args["workspace"];
    const workspace = typeof named === "string" ? named : this.connection.workspace;
    if (workspace === undefined) {
      throw new ProviderError(
        "no-connection",
        `no workspace is named: write "workspace:" in the workspace file, set WORKSPACE_AUTOMATION_DOMAIN, ` +
          `or run "workspacectl config set workspace-automation:workspace <domain>"`,
      );
    }
    const known =
      this.contexts.get(workspace) ??
      new Context(
        this.client,
        workspace,
        this.connection.baseUrl,
        new Reads(this.meter?.listed),
        this.journal,
        this.meter?.renamed,
        this.meter?.adopted,
        isImporting(this.env),
      );
    // Projects that were renamed outside, and whose new names an earlier run has recognized.
    if (!this.contexts.has(workspace))
      for (const { from, to } of renamesIn(this.env)) known.projectRenamed(from, to);
    this.contexts.set(workspace, known);
    return known;
  }

  /**
   * The context of an object that the state knows. Refused when the connection points elsewhere: another account would
   * answer that everything is gone.
   */
  contextOf(state: Fields, type: string, id: string): Context {
    const context = this.context(state);
    const { address } = state;
    if (typeof address === "string" && address !== context.address) {
      throw new ProviderError(
        "other-workspace",
        `this stack belongs to ${address}, but the connection points to ${context.address} (object ${id}). ` +
          `Choose the connection of this stack, or another stack for the other workspace; nothing was read or written`,
      );
    }
    this.journal.known({ type, address: context.address, id });
    return context;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
