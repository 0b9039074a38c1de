import { defineLintRule } from "pulumi-workspace-automation";

/** Arguments that contain commands. */
const COMMANDS = ["executeCommands", "setupCommands", "commands"];

/** A literal after an option or a header for secrets. A variable (`$TOKEN`) or a placeholder (`${env:TOKEN}`) is none. */
const SECRET = [
  /(?:^|\s)--(?:password|token|secret|api-key)[= ](?!["']?\$)["']?[^\s"']+/i,
  /(?:^|\s)(?:-u|--user)[= ]?["']?[^\s:"'$]+:(?!\$)[^\s"']+/,
  /\bAuthorization: *(?:Bearer|Basic) +(?!\$)[^\s"']+/i,
  /(?:^|\s)[A-Z_]*(?:PASSWORD|TOKEN|SECRET)=(?!["']?\$)["']?[^\s"']+/,
];

export default defineLintRule({
  code: "acme/no-plain-secret-in-commands",
  severity: "error",
  description: "A command contains a secret in plain text.",
  remedy: "Renew the secret, put it into an encrypted variable of the action, and use $NAME in the command.",
  type: "Action",
  *check({ args }) {
    for (const name of COMMANDS)
      for (const [index, command] of (args[name] as readonly string[]).entries())
        if (SECRET.some((form) => form.test(command)))
          yield { message: "this command contains a secret", path: [name, index], secret: true };
  },
});
