/** Where a report comes from: the commit, the run and the files, as the CI's environment says. */
import { readTextIfPresent } from "../../trust/files.js";
import type { Location } from "../../workspace-file/index.js";
import { relateToRoot, findRoot } from "./diagnostics.js";

export interface Origin {
  readonly commit?: string | undefined;
  /** Address of the run. */
  readonly run?: string | undefined;
  /** Returns the address of a line of a file in that commit. */
  readonly linkTo: (place: Location) => string | undefined;
}

export function readOrigin(env: NodeJS.ProcessEnv): Origin {
  const { commit, run, files } = env["GITLAB_CI"]
    ? readGitLab(env)
    : env["GITHUB_ACTIONS"]
      ? readGitHub(env)
      : NONE;
  const known = commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined;
  return {
    commit: known,
    run: isAddress(run) ? run : undefined,
    linkTo: ({ file, line }) => {
      const path = relateToRoot(file, findRoot(env));
      if (known === undefined || !isAddress(files) || /^[/<]|^\w:/.test(path)) return undefined;
      return `${files}/${known}/${path.split("/").map(encodeURIComponent).join("/")}#L${line}`;
    },
  };
}

interface Facts {
  readonly commit: string | undefined;
  readonly run: string | undefined;
  /** Address of the files of all commits. */
  readonly files: string | undefined;
}

const NONE: Facts = { commit: undefined, run: undefined, files: undefined };

const isAddress = (url: string | undefined): url is string => /^https?:\/\/[^\s()<>|]+$/.test(url ?? "");

function readGitHub(env: NodeJS.ProcessEnv): Facts {
  const repository = `${env["GITHUB_SERVER_URL"]}/${env["GITHUB_REPOSITORY"]}`;
  return {
    commit: findProposedCommit(env["GITHUB_EVENT_PATH"]) ?? env["GITHUB_SHA"],
    run: `${repository}/actions/runs/${env["GITHUB_RUN_ID"]}`,
    files: `${repository}/blob`,
  };
}

function readGitLab(env: NodeJS.ProcessEnv): Facts {
  return {
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
