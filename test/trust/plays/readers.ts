/** All modules that parse JSON, by what they parse. A new one has to say whether somebody can forge it between two runs. */

/** Rows of docs/security.md that a module reads. */
export const readers: Readonly<Record<string, readonly string[]>> = {
  "cli/commands/drift/select-findings.ts": ["report of `drift`"],
  "automation/export/remaining.ts": ["state of Terraform"],
  "cli/commands/fleet/notify-owners.ts": ["state file of `fleet drift`"],
  "cli/commands/fleet/progress-store.ts": ["progress of `fleet up`"],
  "cli/commands/fleet/saved-reports.ts": ["report of `fleet preview`", "reports of shards"],
  "cli/commands/fleet/shards.ts": ["figures of a fleet"],
  "cli/commands/history/run-history.ts": ["receipts"],
  "automation/stack/stack-choice.ts": ["selected stack"],
  "automation/stack/stack-tags.ts": ["tags of a stack"],
  "reports/deliver-report.ts": ["state file with the last set of findings"],
  "reports/finding-record.ts": ["state file of `drift` and `compare`"],
  "automation/run-origin.ts": ["event of a CI run"],
  "automation/saved-plan/apply.ts": ["saved plan"],
  "provider/connection/profile.ts": ["profile of a service"],
  "recovery/journal-file.ts": ["journal next to a state in the checkout"],
  "recovery/lock-store.ts": ["records next to Pulumi's locks"],
};

/** What nobody can forge between two runs, or what is no file. */
export const others: Readonly<Record<string, readonly string[]>> = {
  "the functions that the others call": [
    "automation/config-files/checked-files.ts",
    "client/shallow-json.ts",
    "trust/quoting.ts",
    "workspace-file/syntax/parse.ts",
  ],
  "responses of the service, of Pulumi's and of a cloud": [
    "cli/commands/doctor/run-doctor.ts",
    "client/error-from-response.ts",
    "client/transport.ts",
    "recovery/google-bucket.ts",
  ],
  "output and events of our own processes and of Pulumi": [
    "automation/compare/sources/stack.ts",
    "cli/commands/fleet/requests.ts",
    "cli/commands/fleet/result.ts",
    "cli/commands/fleet/run-each-workspace.ts",
    "cli/operations/preview.ts",
    "cli/commands/stack/run-stack.ts",
    "automation/host/attached.ts",
    "automation/host/engine-event.ts",
    "text/json-value.ts",
    "automation/stack/engine-stack.ts",
    "automation/stack/missing-stack.ts",
    "automation/stack/private-folder.ts",
    "automation/stack/pulumi.ts",
    "automation/stack/recovery.ts",
    "automation/stack/state-check.ts",
  ],
  "private files and variables that pass something to our own processes": [
    "automation/temporary-folders.ts",
    "provider/adapters/permission-file.ts",
    "provider/adapters/planned-arguments.ts",
    "provider/connection/read-only-mode.ts",
    "provider/connection/request-counter.ts",
  ],
  "states, which state-check.ts checks before anything of them is used": [
    "cli/commands/state/shown-state.ts",
    "automation/stack/locks.ts",
    "automation/stack/state-integrity.ts",
    "automation/stack/state-store.ts",
    "automation/unchanged/decrypt-secrets.ts",
    "provider/connection/engine-state.ts",
    "provider/discovery/checkpoint.ts",
  ],
  "logins and digests of the user, which are refused in any checkout": [
    "automation/stack/backend.ts",
    "automation/stack/state-place.ts",
    "toolchain/digests.ts",
    "provider/connection/credentials.ts",
    "recovery/find-state-address.ts",
  ],
  "files of packages, of which only a version or a name is read": [
    "cli/commands/plugin/run-plugin.ts",
    "automation/config-files/package-source.ts",
    "toolchain/locations.ts",
    "toolchain/programs.ts",
  ],
};
