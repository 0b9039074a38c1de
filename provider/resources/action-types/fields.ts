/** Fields that several action types share (spec, Endpoints: Actions). */
import { z } from "zod";
import { choice, emptyOrText, lines, opaqueList, text } from "../../definition/primitives.js";
import { port } from "../../definition/formats.js";
import type { Variants } from "../../definition/definition.js";
import { nonSecretArg } from "../../definition/define-resource.js";

/** Arguments that tell the variants of one type apart. */
export type ModeName = "authenticationMode" | "gitAuthMode";

export type ActionVariant = Variants["of"][string] & {
  /** Values that choose this variant: of `type`, and of the argument that tells the variants of one type apart. */
  readonly chosen: {
    readonly type: string;
    readonly mode?: { readonly name: ModeName; readonly value: string | undefined };
  };
  /** Sends a message: with ON_FAILURE it has to say whether only for the first failure (spec, Actions). */
  readonly notifies?: boolean;
};

export const containerImage = {
  containerImageName: text.describe("Name of the container image the commands run in."),
  containerImageTag: text.describe("Tag of the container image."),
};

export const executeCommands = lines.min(1).describe("Commands, run one after the other.");

export const cachedDirs = lines
  .optional()
  .describe("Directories kept between runs.")
  .meta({ examples: [["/root/.npm"]] });

export const setupCommands = lines
  .optional()
  .describe("Commands run only the first time, before the others.")
  .meta({ examples: [["apt-get update && apt-get install -y jq"]] });

export const workingDirectory = emptyOrText
  .optional()
  .describe("Directory the commands run in.")
  .meta({ examples: ["/app"] });

/** Attached containers: what the service wants of one is not documented. */
export const services = opaqueList
  .optional()
  .describe("Services attached to the container (a database, say), in the service's own words.")
  .meta({ examples: [[{ type: "POSTGRES", version: "17" }]] });

/** `services`, and the way to say that they hold no secret. */
export const servicesOnly = { services, nonSecret: nonSecretArg("services") };

export const passphrase = emptyOrText
  .optional()
  .describe("Passphrase of the private key.")
  .meta({ examples: ["${env:KEY_PASSPHRASE}"] });

export const shells = {
  SH: "The POSIX shell.",
  BASH: "Bash.",
} as const;

export const notification = {
  content: emptyOrText
    .optional()
    .describe("Text that is sent.")
    .meta({ examples: ["The deployment failed", "${file:messages/failed.txt}"] }),
};

export const pushOptions = {
  pushTags: z.boolean().optional().describe("Push tags too."),
  useCustomGitignore: z
    .boolean()
    .optional()
    .describe("Use `deploymentExcludes` instead of the repository's ignore file."),
  isolated: z.boolean().optional().describe("Push only files of the repository, no artifacts of the run."),
  targetBranch: emptyOrText
    .optional()
    .describe("Branch that is pushed to. Empty: the branch of the same name.")
    .meta({ examples: ["live"] }),
  deploymentExcludes: lines
    .optional()
    .describe("Paths that are not pushed. Works only with `useCustomGitignore`.")
    .meta({ examples: [["docs", "*.md"]] }),
  deploymentIncludes: lines
    .optional()
    .describe("Exceptions to `deploymentExcludes`.")
    .meta({ examples: [["docs/license.md"]] }),
  withoutForce: z
    .boolean()
    .optional()
    .describe("Push without the force flag: commits of the other repository are never overwritten."),
  comment: emptyOrText
    .optional()
    .describe("Message of the commit.")
    .meta({ examples: ["Release"] }),
};

export const virtualMachine = {
  host: text.describe("Host name or address of the machine."),
  login: text.describe("User on the machine."),
  port: port.describe("Port of the SSH server."),
  inputType: choice({
    SCM_REPOSITORY: "The files of the repository.",
    BUILD_ARTIFACTS: "What the actions before this one made.",
  })
    .optional()
    .describe("Which files are sent."),
  localPath: emptyOrText
    .optional()
    .describe("Path in the repository or the artifacts that is sent.")
    .meta({ examples: ["dist"] }),
  passphrase,
  remotePath: emptyOrText
    .optional()
    .describe("Path on the machine that is written to.")
    .meta({ examples: ["/srv/web"] }),
  deploymentExcludes: lines
    .optional()
    .describe("Paths that are not sent.")
    .meta({ examples: [["docs", "*.md"]] }),
  deploymentIncludes: lines
    .optional()
    .describe("Exceptions to `deploymentExcludes`.")
    .meta({ examples: [["docs/license.md"]] }),
};

export const serverKey = text.describe("Private key.").meta({ examples: ["${file:keys/deploy}"] });

export const password = text.describe("Password of the user.").meta({ examples: ["${env:SERVER_PASSWORD}"] });

/** What the action does: the constant that chooses a variant. */
export const type = <const T extends string>(value: T) => z.literal(value).describe("What the action does.");
