/** The commands that talk to the service without Pulumi: logins, runs, sandboxes, OAuth clients. */
import type { Command } from "commander";
import { shells, type Shell } from "./completion/scripts.js";
import { example, several, wholeNumber, type CommandWork, type Work } from "../options/options.js";

type Load<O> = () => Promise<CommandWork<O>>;

const CONNECTION = ["-c, --connection <name>", "the connection: which service, as whom"] as const;
const JSON_OUT = ["--json", "print JSON"] as const;

function onService(command: Command): Command {
  return command
    .option(...CONNECTION)
    .option("-w, --workspace <domain>", "the workspace (default: the connection's, or the only one)")
    .option(...JSON_OUT);
}

export function addAccountCommands(program: Command, work: Work): void {
  example(
    program
      .command("login")
      .description("keep credentials for a connection: a personal access token, or OAuth")
      .option("-c, --connection <name>", "the name to keep them under (default: default)")
      .option("--base-url <url>", "base address of the service, such as https://host/api")
      .option("-w, --workspace <domain>", "the workspace to work in when nothing else names one")
      .option("--token <how>", "a personal access token: - reads it from standard input, prompt asks for it")
      .option("--client-id <id>", "log in as or through this OAuth client")
      .option(
        "--client-secret <how>",
        "its secret: - or prompt; else WORKSPACE_AUTOMATION_CLIENT_SECRET or what was kept",
      )
      .option("--client-credentials", "the client acts for itself; nobody has to consent")
      .option("--authorize-url <url>", "address of the consent page; the service's API does not tell it")
      .option("--scopes <list>", "scopes to ask for, separated by commas (default: what this tool uses)")
      .option(
        "--port <n>",
        "port of the redirect address http://127.0.0.1:PORT/callback",
        wholeNumber(0, 65535),
      )
      .option("--no-browser", "print the consent page's address and take the pasted code")
      .option("--allow-insecure", "allow http:// to another machine"),
    "workspacectl login --connection us --base-url https://host/api",
  ).action(work(async () => (await import("./login/run.js")).login));
  example(
    program
      .command("logout")
      .description("revoke the tokens of a login and forget it")
      .option(...CONNECTION)
      .option("--local", "forget it without revoking"),
    "workspacectl logout --connection us",
  ).action(work(async () => (await import("./logout/run.js")).logout));
  example(
    onService(
      program
        .command("whoami")
        .description("show the user, the connection, the workspace, the scopes known and the requests left"),
    ),
    "workspacectl whoami --connection us",
  ).action(work(async () => (await import("./whoami/run.js")).whoami));
}

export function addRunCommands(program: Command, work: Work): void {
  const load = () => import("./executions/run.js");
  const onPipeline = <O extends { pipeline: string }>(command: Command, line: string, loading: Load<O>) =>
    example(
      onService(command.argument("<project/pipeline>", "name or number of the pipeline, after its project")),
      line,
    ).action((pipeline: string, options: object) => work(loading)({ ...options, pipeline } as O));
  const onExecution = <O extends { pipeline: string; id?: number }>(
    command: Command,
    line: string,
    loading: Load<O>,
  ) =>
    example(onService(command), line).action((pipeline: string, id: number | undefined, options: object) =>
      work(loading)({ ...options, pipeline, ...(id === undefined ? {} : { id }) } as O),
    );
  const watchOption = ["--watch", "show the progress until the end; exit code 3 unless it succeeds"] as const;

  onPipeline(
    program
      .command("run")
      .description("run a pipeline")
      .option("--revision <hash>", "the commit to run on (default: HEAD)")
      .option("--branch <name>", "the branch, for wildcard pipelines")
      .option("--tag <name>", "the tag, for wildcard pipelines")
      .option("--comment <text>", "a comment on the execution")
      .option("--refresh", "deploy from scratch")
      .option(...watchOption),
    "workspacectl run web/deploy --branch main --watch",
    async () => (await import("./run/run.js")).run,
  );

  const executions = program.command("executions").description("the runs of a pipeline").helpCommand(false);
  example(executions, "workspacectl executions list web/deploy");
  onPipeline(
    executions
      .command("list")
      .description("the newest executions")
      .option("-n, --limit <n>", "how many at most", wholeNumber(1), 20),
    "workspacectl executions list web/deploy --limit 5",
    async () => (await load()).list,
  );
  const pipeline = ["<project/pipeline>", "name or number of the pipeline, after its project"] as const;
  onExecution(
    executions
      .command("show")
      .description("one execution with its actions")
      .argument(...pipeline)
      .argument("[id]", "number of the execution (default: the newest)", wholeNumber(1))
      .option(...watchOption),
    "workspacectl executions show web/deploy 1234",
    async () => (await load()).show,
  );
  onExecution(
    executions
      .command("retry")
      .description("run an execution again")
      .argument(...pipeline)
      .argument("<id>", "number of the execution", wholeNumber(1))
      .option(...watchOption),
    "workspacectl executions retry web/deploy 1234 --watch",
    async () => (await load()).retry,
  );
  onExecution(
    executions
      .command("cancel")
      .description("end an execution")
      .argument(...pipeline)
      .argument("<id>", "number of the execution", wholeNumber(1)),
    "workspacectl executions cancel web/deploy 1234",
    async () => (await load()).cancel,
  );
}

export function addSandboxCommands(program: Command, work: Work): void {
  const sandbox = program.command("sandbox").description("sandboxes of the workspace").helpCommand(false);
  example(sandbox, "workspacectl sandbox restart 5f2c");
  example(
    onService(
      sandbox.command("restart").description("restart a sandbox").argument("<id>", "id of the sandbox"),
    ),
    "workspacectl sandbox restart 5f2c",
  ).action((id: string, options: object) =>
    work(async () => (await import("./sandbox/run.js")).restart)({ ...options, id }),
  );
}

export function addOAuthClientCommands(program: Command, work: Work): void {
  const load = () => import("./oauth-client/run.js");
  const grants = ["authorization_code", "refresh_token", "client_credentials"] as const;
  const record = (command: Command) =>
    command
      .option("--redirect-uri <uri>", "an address to come back to; may be repeated", several())
      .option("--grant <type>", `${grants.join(", ")}; may be repeated`, several(grants))
      .option("--uri <url>", "web address of the client")
      .option("--description <text>", "what the client is for")
      .option("--token-expires-in <seconds>", "how long an access token lives", wholeNumber(1))
      .option(...CONNECTION)
      .option(...JSON_OUT);
  const oauth = program
    .command("oauth-client")
    .description("OAuth clients: dynamic registration")
    .helpCommand(false);
  const one = <O extends { clientId: string }>(command: Command, line: string, loading: Load<O>) =>
    example(
      command
        .argument("<client-id>", "id of the client")
        .option(
          "--registration-token <how>",
          "its registration access token: - or prompt (default: what was kept)",
        ),
      line,
    ).action((clientId: string, options: object) => work(loading)({ ...options, clientId } as O));

  example(oauth, 'workspacectl oauth-client register --name "CI" --save');
  example(
    record(
      oauth
        .command("register")
        .description("register a client; its secrets are told once")
        .requiredOption("--name <text>", "name of the client, as users see it at the consent")
        .option("--save", "keep the secrets in the credentials file instead of printing them"),
    ),
    'workspacectl oauth-client register --name "CI" --grant client_credentials --save',
  ).action(work(async () => (await load()).register));
  one(
    oauth
      .command("show")
      .description("show a client's registration")
      .option(...CONNECTION)
      .option(...JSON_OUT),
    "workspacectl oauth-client show 3aX9",
    async () => (await load()).show,
  );
  one(
    record(
      oauth
        .command("update")
        .description("change a client's registration")
        .option("--name <text>", "name of the client"),
    ),
    "workspacectl oauth-client update 3aX9 --description 'Nightly builds'",
    async () => (await load()).update,
  );
  one(
    oauth
      .command("delete")
      .description("delete a client; its tokens end")
      .option(...CONNECTION),
    "workspacectl oauth-client delete 3aX9",
    async () => (await load()).remove,
  );
}

/** These two read the tree of all commands, so they are told of it by themselves. */
export function addCompletionCommands(program: Command, work: Work): void {
  const load = () => import("./completion/run.js");
  const completion = program
    .command("completion")
    .description("print a script that lets a shell complete what you type");
  completion.addArgument(completion.createArgument("<shell>", "the shell").choices(shells));
  example(completion, 'eval "$(workspacectl completion bash)"').action((shell: Shell) =>
    work(async () => (await load()).completion)({ shell, tree: program }),
  );
  // Called by those scripts at every TAB.
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action((words: string[]) => work(async () => (await load()).complete)({ words, tree: program }));
}
