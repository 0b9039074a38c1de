/** Declares `workspacectl oauth-client`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { type OptionsOf, parseRepeatable, parseWholeNumber } from "../../options/option-values.js";
import { createConnectionOption, createJsonOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const load = () => import("./run-oauth-client.js");
const grants = ["authorization_code", "refresh_token", "client_credentials"] as const;

const createRecordOptions = () =>
  [
    new Option("--redirect-uri <uri>", "Redirect address; repeatable").argParser(parseRepeatable()),
    new Option("--grant <type>", `Grant type: ${grants.join(", ")}; repeatable`).argParser(
      parseRepeatable(grants),
    ),
    new Option("--uri <url>", "Web address of the client"),
    new Option("--description <text>", "Purpose of the client"),
    new Option("--token-expires-in <seconds>", "Lifetime of an access token").argParser(parseWholeNumber(1)),
    createConnectionOption(),
    createJsonOption(),
  ] as const;

const createClientArgument = () => ({ clientId: new Argument("<client-id>", "Id of the client") });

const createRegistrationTokenOption = () =>
  new Option(
    "--registration-token <how>",
    "Registration access token: - or prompt (default: the stored one)",
  );

const registerOptions = [
  new Option("--name <text>", "Name of the client, shown to users on the consent page").makeOptionMandatory(),
  new Option("--save", "Store the secrets in the credentials file instead of printing them"),
  ...createRecordOptions(),
] as const;

const showOptions = [createConnectionOption(), createJsonOption(), createRegistrationTokenOption()] as const;

const updateOptions = [
  new Option("--name <text>", "Name of the client"),
  ...createRecordOptions(),
  createRegistrationTokenOption(),
] as const;

const deleteOptions = [createConnectionOption(), createRegistrationTokenOption()] as const;

type ClientArgument = ReturnType<typeof createClientArgument>;
export type ClientRegisterOptions = OptionsOf<typeof registerOptions>;
export type ClientShowOptions = OptionsOf<typeof showOptions, ClientArgument>;
export type ClientUpdateOptions = OptionsOf<typeof updateOptions, ClientArgument>;
export type ClientDeleteOptions = OptionsOf<typeof deleteOptions, ClientArgument>;

export const oauthClientCommand = defineCommand({
  name: "oauth-client",
  group: "Service",
  description: "Register, show, update and delete OAuth clients",
  example: 'workspacectl oauth-client register --name "CI" --save',
  configure: (command) => command.helpCommand(false),
  subcommands: [
    defineCommand({
      name: "register",
      description: "Register a client; its secrets are shown only once",
      options: registerOptions,
      example: 'workspacectl oauth-client register --name "CI" --grant client_credentials --save',
      run: async () => (await load()).registerClient,
    }),
    defineCommand({
      name: "show",
      description: "Show the registration of a client",
      arguments: createClientArgument(),
      options: showOptions,
      example: "workspacectl oauth-client show 3aX9",
      run: async () => (await load()).showClient,
    }),
    defineCommand({
      name: "update",
      description: "Update the registration of a client",
      arguments: createClientArgument(),
      options: updateOptions,
      example: "workspacectl oauth-client update 3aX9 --description 'Nightly builds'",
      run: async () => (await load()).updateClient,
    }),
    defineCommand({
      name: "delete",
      description: "Delete a client and invalidate its tokens",
      arguments: createClientArgument(),
      options: deleteOptions,
      example: "workspacectl oauth-client delete 3aX9",
      run: async () => (await load()).deleteClient,
    }),
  ],
});
