/** Who started a run, from which commit, as the CI system's environment or the operating system says. */
import { userInfo } from "node:os";
import { readTextIfPresent } from "../trust/checkout-files.js";

export interface RunOrigin {
  /** The name at the CI system, else that at the operating system. */
  readonly actor: string | undefined;
  readonly commit: string | undefined;
  /** Address of the run. */
  readonly run: string | undefined;
  /** Address of the files of all commits. */
  readonly files: string | undefined;
}

export function readRunOrigin(env: NodeJS.ProcessEnv): RunOrigin {
  const { actor, commit, run, files } = env["GITLAB_CI"]
    ? readGitLab(env)
    : env["GITHUB_ACTIONS"]
      ? readGitHub(env)
      : NONE;
  return {
    actor: (actor || findUser())?.replaceAll(/[^\p{L}\p{N} @._[\]-]/gu, "?"),
    commit: commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined,
    run: isAddress(run) ? run : undefined,
    files: isAddress(files) ? files : undefined,
  };
}

/** Formats the origin as one line, which {@link parseRunOrigin} reads. */
export function formatRunOrigin({ actor, commit, run }: Partial<RunOrigin>): string {
  const parts = [actor, commit && `commit ${commit}`, run].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : `by ${parts.join(", ")}`;
}

export function parseRunOrigin(text: string): Partial<RunOrigin> {
  const [, actor, commit, run] =
    /^by (.+?)(?:, commit ([0-9a-f]+))?(?:, (https?:\/\/\S+))?$/.exec(text) ?? [];
  return { actor, commit, run };
}

const NONE: RunOrigin = { actor: undefined, commit: undefined, run: undefined, files: undefined };

const isAddress = (url: string | undefined): url is string => /^https?:\/\/[^\s()<>|]+$/.test(url ?? "");

function findUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number without a name.
    return undefined;
  }
}

function readGitHub(env: NodeJS.ProcessEnv): RunOrigin {
  const repository = `${env["GITHUB_SERVER_URL"]}/${env["GITHUB_REPOSITORY"]}`;
  return {
    actor: env["GITHUB_TRIGGERING_ACTOR"] || env["GITHUB_ACTOR"],
    commit: findProposedCommit(env["GITHUB_EVENT_PATH"]) ?? env["GITHUB_SHA"],
    run: `${repository}/actions/runs/${env["GITHUB_RUN_ID"]}`,
    files: `${repository}/blob`,
  };
}

function readGitLab(env: NodeJS.ProcessEnv): RunOrigin {
  return {
    actor: env["GITLAB_USER_LOGIN"],
    commit: env["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || env["CI_COMMIT_SHA"],
    run: env["CI_PIPELINE_URL"],
    files: `${env["CI_PROJECT_URL"]}/-/blob`,
  };
}

/** Reads the commit of a pull request from the event: GITHUB_SHA is its merge, or the default branch. */
function findProposedCommit(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    const event = JSON.parse(readTextIfPresent(path, { named: true }) ?? "{}") as GitHubEvent;
    const commit = event.workflow_run?.head_sha ?? event.pull_request?.head?.sha;
    return typeof commit === "string" ? commit : undefined;
  } catch {
    return undefined;
  }
}

interface GitHubEvent {
  readonly workflow_run?: { readonly head_sha?: unknown };
  readonly pull_request?: { readonly head?: { readonly sha?: unknown } };
}
