/** Runs `workspacectl whoami`. */
import type { z } from "zod";
import { type OpenService, withService } from "../../../automation/connection/api-client.js";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { reportHead } from "../../../automation/report/report-schemas.js";
import type { whoamiReportSchema } from "../../../automation/report/whoami-report.js";
import { isServiceError, type User, type WorkspaceAutomationClient } from "../../../client/index.js";
import { type Connection, DEFAULT_CONNECTION } from "../../../provider/index.js";
import type { Io } from "../../../reports/io.js";
import { printFacts as printList, printJson } from "../../../reports/output.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import type { WhoamiOptions } from "./login-command.js";

type WhoamiReport = z.infer<typeof whoamiReportSchema>;

type Facts = Omit<WhoamiReport, "version" | "tool">;

/** Shows the current user and service, with rights and remaining requests. */
export function runWhoami(options: WhoamiOptions, io: Io): Promise<number> {
  return withService(options, io, async (service) => {
    const facts = await readFacts(service);
    if (options.json) printJson(io, { ...reportHead(1), ...facts } satisfies WhoamiReport);
    else printFacts(facts, io);
    return exitCodes.ok;
  });
}

async function readFacts({ client, connection, workspace: chosen }: OpenService): Promise<Facts> {
  const user = await returnKnown(client.user.get());
  const workspace = connection.workspace ?? (await returnKnown(chosen().catch(ignoreServiceError))) ?? null;
  const admin = workspace === null ? null : await isAdmin(client, workspace, user);
  if (workspace !== null && admin === null) await refuseUnknown(client, workspace);
  const { remaining, limit, resetAt } = client.rateLimit;
  return {
    user: user === undefined ? null : { id: user.id, name: user.name ?? null },
    connection: connection.name ?? DEFAULT_CONNECTION,
    baseUrl: connection.baseUrl,
    workspace,
    admin,
    credentials: describeLogin(connection),
    scopes: connection.login?.oauth?.tokens?.scopes ?? connection.login?.oauth?.scopes ?? null,
    requests: {
      left: remaining ?? null,
      limit: limit ?? null,
      resetAt: resetAt?.toISOString() ?? null,
    },
  };
}

/** Returns undefined for what the caller may not read; any other problem is an error. */
async function returnKnown<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isServiceError(error, "denied", "not-found", "api-disabled")) return undefined;
    throw error;
  }
}

/** Ignores that there are several workspaces or none: then none is shown. */
function ignoreServiceError(error: unknown): undefined {
  if (isServiceError(error)) throw error;
  return undefined;
}

/**
 * Checks that a workspace exists in which even the caller's own rights cannot be read.
 * @throws {AutomationError} when the service lists the caller's workspaces, and it is none of them
 */
async function refuseUnknown(client: WorkspaceAutomationClient, workspace: string): Promise<void> {
  const all = await returnKnown(client.workspaces.list().toArray());
  if (all === undefined || all.some(({ domain }) => domain === workspace)) return;
  const names = all.flatMap(({ domain }) => domain ?? []);
  throw new AutomationError(
    `there is no workspace "${workspace}" that this user may see`,
    suggestOr(workspace, names, formatOthers(names)),
  );
}

function formatOthers(names: readonly string[]): string {
  return names.length === 0
    ? "the user has none: ask for an invitation"
    : `Choose one of these with --workspace: ${names.join(", ")}`;
}

/** Reads whether the user is an administrator: a member has the id of its user. */
async function isAdmin(
  client: WorkspaceAutomationClient,
  workspace: string,
  user: User | undefined,
): Promise<boolean | null> {
  if (user === undefined) return null;
  const member = await returnKnown(client.members.get(workspace, user.id));
  return member?.admin ?? null;
}

function describeLogin({ login, credential = "a token" }: Connection): string {
  if (login === undefined) return credential;
  const kind = login.oauth === undefined ? "personal access token" : `OAuth (${login.oauth.grant})`;
  return `${kind}: ${credential}`;
}

function printFacts(facts: Facts, io: Io): void {
  const { user, requests } = facts;
  const admin = { true: "yes", false: "no", null: "not known" }[`${facts.admin}`];
  const { left, limit, resetAt } = requests;
  const until = resetAt === null ? "" : ` until ${resetAt}`;
  printList(io, {
    user: user === null ? "not known (the token lacks USER_INFO)" : `${user.name ?? "?"} (${user.id})`,
    connection: facts.connection,
    address: facts.baseUrl,
    workspace: facts.workspace ?? "none chosen",
    admin,
    credentials: facts.credentials,
    scopes:
      facts.scopes?.join(", ") || "not known: the service does not return the scopes of a personal token",
    "requests left": left === null ? "not known" : `${left}${limit === null ? "" : ` of ${limit}`}${until}`,
  });
}
