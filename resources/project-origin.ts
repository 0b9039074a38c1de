/** The origin of a project's repository: hosted by the service, at an integrated provider, or at any other address. */
import { gitAddress } from "./definition/formats.js";
import type { WrittenArgs } from "./definition/handlers.js";
import { nameOrId, only, optional, text } from "./definition/primitives.js";
import type { ProblemCode } from "./definition/problems.js";

/** Arguments that determine the origin. */
export const origin = [
  "integration",
  "externalProjectId",
  "gitLabProjectId",
  "customRepoUrl",
  "customRepoUser",
] as const;

export const originArgs = {
  integration: optional(
    nameOrId,
    "Integration of the calling user that gives access to the repository of another provider: its name or number.",
    "git-provider",
  ),
  externalProjectId: optional(
    text,
    "Id of the repository at the other provider. Requires `integration`.",
    "acme/web",
  ),
  gitLabProjectId: optional(
    text,
    "Number of the repository, as a string, at a provider that numbers its repositories.",
    "1234",
  ),
  customRepoUrl: optional(
    gitAddress,
    "Address of any other Git repository. Excludes `integration`.",
    "https://git.example.com/web.git",
  ),
  customRepoUser: optional(text, "User of the repository. Required with `customRepoUrl`.", "deploy"),
  customRepoPass: optional(
    text,
    "Password of the user. Required with a `customRepoUrl` that begins with https.",
    "${env:REPOSITORY_PASSWORD}",
  ),
};

export const replaceProject = optional(
  only("allow", "A changed origin replaces the project. Its repository and history are lost."),
  "Allows a change of the repository's origin, which replaces the project: its repository and history are lost.",
);

interface Named {
  readonly name?: unknown;
  readonly displayName?: unknown;
}

/** Reports arguments of an origin that are missing, or that belong to another origin. */
export function checkOrigin(
  args: WrittenArgs<typeof originArgs> & Named,
  problem: (property: keyof typeof originArgs | keyof Named, message: string, code: ProblemCode) => void,
): void {
  const integrated = args.integration !== undefined || args.externalProjectId !== undefined;
  if (!integrated && args.name === undefined)
    problem("name", "is required unless the project is integrated", "required");
  if (integrated) {
    for (const name of ["displayName", "integration", "externalProjectId"] as const)
      if (args[name] === undefined || args[name] === null)
        problem(name, "is required for an integrated project", "required");
  }
  const { customRepoUrl: url, customRepoUser: user, customRepoPass: password } = args;
  if (url === undefined) {
    const needing = (["customRepoUser", "customRepoPass"] as const).filter(
      (name) => args[name] !== undefined,
    );
    if (needing.length > 0) problem("customRepoUrl", `is required with ${needing.join(" and ")}`, "required");
    return;
  }
  if (integrated) problem("customRepoUrl", "excludes integration: a project has one origin", "conflict");
  if (user === undefined) problem("customRepoUser", "is required with customRepoUrl", "required");
  if (typeof url === "string" && /^https:/i.test(url) && password === undefined)
    problem("customRepoPass", "is required when customRepoUrl begins with https", "required");
}
