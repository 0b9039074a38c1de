/** Fields that several action types share (spec, Endpoints: Actions). */
import { z } from "zod";
import { lines, port, text } from "../../../schema/index.js";

export const containerImage = {
  containerImageName: text.describe("Name of the container image the commands run in."),
  containerImageTag: text.describe("Tag of the container image."),
};

export const executeCommands = lines.min(1).describe("Commands, run one after the other.");

export const notification = {
  content: z.string().optional().describe("Text that is sent."),
};

export const pushOptions = {
  pushTags: z.boolean().optional().describe("Push tags too."),
  useCustomGitignore: z
    .boolean()
    .optional()
    .describe("Use `deploymentExcludes` instead of the repository's ignore file."),
  isolated: z.boolean().optional().describe("Push only files of the repository, no artifacts."),
  targetBranch: z.string().optional().describe("Branch that is pushed to. Empty: the same branch."),
  deploymentExcludes: lines
    .optional()
    .describe("Paths that are not pushed. Works only with `useCustomGitignore`."),
  deploymentIncludes: lines.optional().describe("Exceptions to `deploymentExcludes`."),
  withoutForce: z.boolean().optional().describe("Push without the force flag."),
  comment: z.string().optional().describe("Message of the commit."),
};

export const virtualMachine = {
  host: text.describe("Host name or address of the machine."),
  login: text.describe("User on the machine."),
  port: port.describe("Port of the SSH server."),
  inputType: z.enum(["SCM_REPOSITORY", "BUILD_ARTIFACTS"]).optional().describe("Which files are sent."),
  localPath: z.string().optional().describe("Path in the repository or the artifacts that is sent."),
  passphrase: z.string().optional().describe("Passphrase of the private key."),
  remotePath: z.string().optional().describe("Path on the machine that is written to."),
  deploymentExcludes: lines.optional().describe("Paths that are not sent."),
  deploymentIncludes: lines.optional().describe("Exceptions to `deploymentExcludes`."),
};
