/** Fields that several action types share (spec, Endpoints: Actions). */
import { z } from "zod";
import { nonSecretArg } from "../definition/define-resource.js";
import type { Variants } from "../definition/definition.js";
import { port } from "../definition/formats.js";
import { choice, emptyOrText, flag, lines, opaqueList, optional, text } from "../definition/primitives.js";

/** Arguments that distinguish the variants of one type. */
export type ModeName = "authenticationMode" | "gitAuthMode";

export type ActionVariant = Variants["of"][string] & {
  /** The values that choose this variant: of `type`, and of the argument that distinguishes the variants of that type. */
  readonly chosen: {
    readonly type: string;
    readonly mode?: { readonly name: ModeName; readonly value: string | undefined };
  };
  /** The action sends a message. With ON_FAILURE, the service requires `run_only_on_first_failure` (spec, Actions). */
  readonly notifies?: boolean;
};

export const containerImage = {
  containerImageName: text.describe("Name of the container image in which the commands run."),
  containerImageTag: text.describe("Tag of the container image."),
};

export const executeCommands = lines.min(1).describe("Commands, run one after the other.");

export const cachedDirs = optional(lines, "Directories that are kept between runs.", ["/root/.npm"]);

export const setupCommands = optional(lines, "Commands that run only the first time, before the others.", [
  "apt-get update && apt-get install -y jq",
]);

export const workingDirectory = optional(emptyOrText, "Directory in which the commands run.", "/app");

/** Attached containers. The service does not document their fields. */
export const services = optional(
  opaqueList,
  "Services attached to the container, such as a database, in the service's own format.",
  [{ type: "POSTGRES", version: "17" }],
);

/** `services`, and the argument that declares them free of secrets. */
export const servicesOnly = { services, nonSecret: nonSecretArg("services") };

export const passphrase = optional(emptyOrText, "Passphrase of the private key.", "${env:KEY_PASSPHRASE}");

export const shells = {
  SH: "The POSIX shell.",
  BASH: "Bash.",
} as const;

export const notification = {
  content: optional(
    emptyOrText,
    "Text that is sent.",
    "The deployment failed",
    "${file:messages/failed.txt}",
  ),
};

export const pushOptions = {
  pushTags: flag("Push tags too."),
  useCustomGitignore: flag("Use `deploymentExcludes` instead of the repository's ignore file."),
  isolated: flag("Push only files of the repository, no artifacts of the run."),
  targetBranch: optional(
    emptyOrText,
    "Branch that receives the push. Empty: the branch of the same name.",
    "live",
  ),
  deploymentExcludes: optional(lines, "Paths that are not pushed. Works only with `useCustomGitignore`.", [
    "docs",
    "*.md",
  ]),
  deploymentIncludes: optional(lines, "Exceptions to `deploymentExcludes`.", ["docs/license.md"]),
  withoutForce: flag(
    "Push without the force flag, so that commits of the other repository are never overwritten.",
  ),
  comment: optional(emptyOrText, "Message of the commit.", "Release"),
};

export const virtualMachine = {
  host: text.describe("Host name or address of the machine."),
  login: text.describe("User on the machine."),
  port: port.describe("Port of the SSH server."),
  inputType: optional(
    choice({
      SCM_REPOSITORY: "The files of the repository.",
      BUILD_ARTIFACTS: "The artifacts of earlier actions.",
    }),
    "Which files are sent.",
  ),
  localPath: optional(emptyOrText, "Path to send, in the repository or in the artifacts.", "dist"),
  passphrase,
  remotePath: optional(emptyOrText, "Path on the machine to which the files are sent.", "/srv/web"),
  deploymentExcludes: optional(lines, "Paths that are not sent.", ["docs", "*.md"]),
  deploymentIncludes: optional(lines, "Exceptions to `deploymentExcludes`.", ["docs/license.md"]),
};

export const serverKey = text.describe("Private key.").meta({ examples: ["${file:keys/deploy}"] });

export const password = text.describe("Password of the user.").meta({ examples: ["${env:SERVER_PASSWORD}"] });

/** The type of the action: the constant that chooses a variant. */
export const type = <const T extends string>(value: T) => z.literal(value).describe("What the action does.");
