/** Generates the page of error codes. The compiler requires a cause and a remedy for every code. */
import type { OperationErrorCode } from "../../automation/errors.js";
import { guards } from "../../automation/policy/guards/judge.js";
import type { ServiceErrorCode } from "../../client/errors.js";
import { type ProblemCode, problemCodes, problemRemedies } from "../../resources/definition/problem-codes.js";
import type { ProviderErrorCode } from "../../resources/errors.js";
import type { ToolchainErrorCode } from "../../toolchain/errors.js";

type Explained<Code extends string> = Readonly<Record<Code, readonly [cause: string, remedy: string]>>;

const service: Explained<ServiceErrorCode> = {
  "api-disabled": [
    "The API is disabled in the workspace's settings.",
    "A workspace administrator enables it in the settings, under Developer API.",
  ],
  "invalid-url": [
    "The service does not know the address: `Invalid url`.",
    "Check the base address and the names in the path.",
  ],
  "invalid-value": ["A value is empty or wrong.", "Correct the value that the message names."],
  "rate-limited": [
    "The requests of this hour are used up, and the limit resets later than the allowed wait.",
    "Run the command again after the time in the message, or allow a longer wait.",
  ],
  denied: [
    "The token's scopes or the user's rights are insufficient.",
    "Compare them with the rights on the page of the [resource type](resources.md).",
  ],
  unauthorized: [
    "The token is missing, wrong, expired or revoked, or belongs to another address.",
    "Create a token for this address, and run `workspacectl login` again.",
  ],
  "not-found": [
    "There is no such object, or the token's user may not see it.",
    "Check the names and ids in the path, and the rights of the user.",
  ],
  conflict: [
    "The name already exists, or the object is in use.",
    "Choose another name, or adopt the existing object with `adopt: true`.",
  ],
  server: ["The service failed (5xx), even after several attempts.", "Try again later."],
  network: [
    "There is no connection, or it broke.",
    "Check the address, the proxy and the certificates. Run `workspacectl doctor` to test the connection.",
  ],
  timeout: ["The service did not respond in time.", "Try again, or allow more time."],
  "invalid-response": [
    "The response is not what the service's API promises.",
    "Check that the base address is that of the API, not of the web application.",
  ],
  ambiguous: [
    "It is not known whether the service executed the request.",
    "Check the objects in the message before you run the command again.",
  ],
};

const provider: Explained<ProviderErrorCode> = {
  "perhaps-hidden": [
    "The service does not show an object, and the token's user is no administrator, from whom it may be hidden.",
    "Use the token of a workspace administrator: see [Drift](../drift.md#perhaps-hidden).",
  ],
  "no-connection": [
    "There is no connection, or it lacks an address, a token or a workspace.",
    "Set what the message says is missing: see [Connections](../connections.md).",
  ],
  "other-workspace": [
    "The state belongs to another address or workspace than the connection.",
    "Use the connection of the stack, or a stack of its own for each workspace and region.",
  ],
  "already-exists": [
    "An object of the same name exists, and `adopt` is not set.",
    "Set `adopt: true` to manage the existing object, or choose another name.",
  ],
  "already-managed": [
    "The state contains the object already, and the engine was asked to create it again; or another declaration of the run has the same name.",
    "Run `pulumi state untaint`, or omit the option that replaces it. Give a renamed declaration an alias. Remove or rename one of two declarations.",
  ],
  "ambiguous-name": [
    "Several objects have the same name.",
    "Use one of the ids in the message, or rename the others.",
  ],
  "unknown-reference": [
    "A name or number refers to nothing.",
    "Correct it, or declare the object that it refers to.",
  ],
  "not-there": ["The object to import does not exist.", "Check the import id and the connection."],
  deleted: [
    "The object, or its parent, was deleted after the plan was made.",
    "Run the command again: the new plan creates it.",
  ],
  refused: [
    "The service cannot make the change, or it was not explicitly allowed.",
    "Undo the change, or allow it with the setting in the message.",
  ],
  renamed: [
    "The parent of the object was renamed outside of Pulumi.",
    "Run the command again after a refresh.",
  ],
  unreadable: [
    "The object cannot be read, and it is not certain that it was deleted.",
    "Give the token the rights to read it, and run the command again.",
  ],
  "not-in-plan": [
    "An operation is not in the plan that was shown, checked and approved: something has changed since. Nothing was sent for it.",
    "Run the command again, which plans from what there is now.",
  ],
  "not-as-asked": [
    "The service did something other than what was requested.",
    "Check the difference in the message. The next `up` corrects it.",
  ],
};

const toolchain: Explained<ToolchainErrorCode> = {
  "no-pulumi": [
    "No working Pulumi CLI was found, and none could be installed or built.",
    "Install Pulumi, or set PULUMI_BIN. The message lists what was tried.",
  ],
  "cache-unwritable": [
    "The cache folder, or the file with the digests of programs, cannot be written.",
    "Make it writable, or choose another one with WORKSPACECTL_CACHE or WORKSPACECTL_DIGESTS.",
  ],
  "package-incomplete": ["A part of this package is missing.", "Install the package again."],
  "program-failed": [
    "A program failed, does not exist or took too long.",
    "Read its output in the message. Run `workspacectl doctor` to check the installation.",
  ],
  cancelled: ["You stopped the command.", "Run it again."],
};

const operation: Explained<OperationErrorCode> = {
  "other-plan": [
    "The plan is not the one that was approved. Nothing was changed.",
    "Show the new plan, and ask for a new approval.",
  ],
  passphrase: [
    "The state is encrypted with another passphrase.",
    "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the right one.",
  ],
  refused: ["A guard or a check has refused the plan. Nothing was changed.", "Do what the message says."],
  "not-confirmed": [
    "The operation has to ask, and nobody can answer. Nothing was changed.",
    "Pass `--yes`; in a program, `ask`, `yes: true` or `approved`.",
  ],
  declined: ["The answer to a question was no. Nothing was changed.", "Run it again to be asked again."],
  interrupted: [
    "The operation was stopped by a signal, and has recorded what it has done.",
    "Run it again: it continues.",
  ],
  usage: ["An option or argument is unknown, missing or wrong.", "Correct what the message names."],
  format: ["A report does not have the format that `render` should return.", "Use a format in the message."],
  failed: ["None of the other codes applies.", "Do what the message says."],
};

export function renderErrorCodesPage(): string {
  return `<!-- Generated by scripts/generate.ts from the error codes. Do not edit. -->
# Error codes

Every error has a code, a cause and a remedy. The message contains all three, with the names of your objects.

Findings of \`workspacectl lint\` are on [their own page](../lint.md#rules), and exit codes with the [commands](../cli.md#exit-codes).

## Errors in a workspace file

\`workspacectl validate\` reports them with line and column. The formats \`json\`, \`github\` and \`sarif\` contain the code.

${renderTable(Object.entries(problemCodes).map(([code, cause]) => [code, cause, problemRemedies[code as ProblemCode]]))}

## Errors of operations

Commands and [the functions for programs](../automation.md#errors) fail with them.

${renderTable(listEntries(operation))}

## Errors of the service

The [client](../client.md#errors) throws them, with the request and the response.

${renderTable(listEntries(service))}

## Errors of the provider

They end the operation on one resource.

${renderTable(listEntries(provider))}

## Guards

A guard refuses a plan before anything is changed. \`--ignore-guard CODE\` overrides it once: see [Guards](../guards.md).

${renderTable(
  guards.map(({ code, refuses }) => [code, refuses, `Change the file, or pass \`--ignore-guard ${code}\`.`]),
  "Refuses",
)}

## Errors of the installation

They concern Pulumi and other programs on this machine.

${renderTable(listEntries(toolchain))}
`;
}

function listEntries(explained: Explained<string>): [string, string, string][] {
  return Object.entries(explained).map(([code, [cause, remedy]]) => [code, cause, remedy]);
}

function renderTable(rows: readonly (readonly [string, string, string])[], cause = "Cause"): string {
  const lines = rows.map(([code, why, remedy]) => `| \`${code}\` | ${why} | ${remedy} |`);
  return `| Code | ${cause} | Remedy |\n|---|---|---|\n${lines.join("\n")}`;
}
