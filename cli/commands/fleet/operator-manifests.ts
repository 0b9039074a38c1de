/** Describes the workspaces of a fleet to the Pulumi Kubernetes Operator. */
import type { CronJob } from "kubernetes-types/batch/v1.js";
import { dirname, posix, relative, sep } from "node:path";
import { ALLOW_ENV } from "../../../trust/variables.js";
import { CliError } from "../../errors.js";
import { locationArguments } from "./child.js";
import type { Fleet, FleetEntry } from "./file.js";
import type { Wave } from "./waves.js";

export interface ManifestOptions {
  readonly image: string;
  /** Folder of the image that has the contents of the fleet file's folder. */
  readonly directory: string;
  /** Secret that contains the variables of `environment`. */
  readonly secret: string;
  /** Patterns of --allow-env, separated by commas. */
  readonly allowedVariables?: string | undefined;
  readonly namespace?: string;
  readonly serviceAccount?: string;
  /** Schedule of drift detection; without one, there is none. */
  readonly driftSchedule?: string;
}

export interface KubernetesManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly spec: object;
}

/**
 * A label of the pod has at most 63 characters. It is the name, `-workspace`, which the operator adds, and 11 characters that Kubernetes
 * adds to the name of a StatefulSet. The jobs of a CronJob would allow 52.
 */
const LONGEST_NAME = 42;
/** User of the operator's restricted security profile. */
const USER = 1000;

/**
 * Returns the manifests of some workspaces, in the order of the waves: `kubectl` applies them one after the other, and a later wave
 * must see that an earlier one has to run again.
 * @throws {CliError} when a pod could not read a file or the state, or a manifest would contain a secret
 */
export function operatorManifests(
  { entries, waves }: Fleet,
  chosen: readonly FleetEntry[],
  fleetFile: string,
  options: ManifestOptions,
): KubernetesManifest[] {
  const names = resourceNames(entries);
  const filled = waves.filter(({ workspaces }) => workspaces.length > 0);
  const waveOf = ({ name }: FleetEntry) => filled.findIndex(({ workspaces }) => workspaces.includes(name));
  return chosen
    .toSorted((one, other) => waveOf(one) - waveOf(other))
    .flatMap((entry) => {
      const name = names.get(entry.name) ?? "";
      const placed = withContainerPaths(entry, fleetFile, options.directory);
      const prerequisites = prerequisitesIn(filled[waveOf(entry) - 1], names);
      const { driftSchedule } = options;
      return [
        stack(name, placed, prerequisites, options),
        ...(driftSchedule === undefined ? [] : [driftJob(name, placed, driftSchedule, options)]),
      ];
    });
}

/** The operator waits until these have succeeded with their present manifest. */
function prerequisitesIn(before: Wave | undefined, names: ReadonlyMap<string, string>): { name: string }[] {
  return (before?.workspaces ?? []).map((workspace) => ({ name: names.get(workspace) ?? "" }));
}

/** Runs `pulumi up` with the program of the image, whose variables name the files of the workspace. */
function stack(
  name: string,
  entry: FleetEntry,
  prerequisites: readonly { name: string }[],
  options: ManifestOptions,
): KubernetesManifest {
  const { image, directory, secret, serviceAccount, allowedVariables } = options;
  const literal = (value: string) => ({ type: "Literal", literal: { value } });
  return {
    apiVersion: "pulumi.com/v1",
    kind: "Stack",
    metadata: metadata(name, options),
    spec: {
      stack: entry.stack,
      ...(entry.backend === undefined ? {} : { backend: entry.backend }),
      ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
      ...(prerequisites.length === 0 ? {} : { prerequisites }),
      envRefs: {
        WORKSPACE_FILE: literal(entry.file),
        ...(entry.overlays.length > 0 && { WORKSPACE_OVERLAYS: literal(JSON.stringify(entry.overlays)) }),
        ...(entry.allowPaths.length > 0 && {
          WORKSPACE_ALLOW_PATHS: literal(JSON.stringify(entry.allowPaths)),
        }),
        ...(allowedVariables !== undefined && { [ALLOW_ENV]: literal(allowedVariables) }),
        ...(entry.connection !== undefined && { WORKSPACE_AUTOMATION_CONNECTION: literal(entry.connection) }),
        ...mapped(entry.environment, (key) => ({ type: "Secret", secret: { name: secret, key } })),
      },
      // Otherwise the pod of each workspace waits for the next change.
      workspaceReclaimPolicy: "Delete",
      workspaceTemplate: {
        spec: { image, securityProfile: "restricted", local: { dir: directory } },
      },
    },
  };
}

/** Runs `workspacectl drift`: the operator itself would apply the file instead of reporting. */
function driftJob(
  name: string,
  entry: FleetEntry,
  schedule: string,
  options: ManifestOptions,
): CronJob & KubernetesManifest {
  const { image, directory, secret, serviceAccount, allowedVariables } = options;
  const given = { PULUMI_BACKEND_URL: entry.backend, [ALLOW_ENV]: allowedVariables };
  const plain = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : { name, value },
  );
  const secrets = mapped(entry.environment, (key) => ({ secretKeyRef: { name: secret, key } }));
  const container = {
    name: "drift",
    image,
    workingDir: directory,
    command: ["workspacectl", "drift", ...locationArguments(entry)],
    env: [...plain, ...Object.entries(secrets).map(([to, valueFrom]) => ({ name: to, valueFrom }))],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
  };
  const pod = {
    restartPolicy: "Never",
    ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
    securityContext: {
      ...{ runAsNonRoot: true, runAsUser: USER, runAsGroup: USER },
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [container],
  };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: metadata(name, options),
    spec: {
      schedule,
      concurrencyPolicy: "Forbid",
      // Drift is a result, so the job is not repeated.
      jobTemplate: { spec: { backoffLimit: 0, template: { spec: pod } } },
    },
  };
}

function metadata(name: string, { namespace }: ManifestOptions): object {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

function mapped<T>(
  record: Readonly<Record<string, string>>,
  to: (from: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([name, from]) => [name, to(from)]));
}

/** Returns the names of the Kubernetes objects by the names of the workspaces. */
function resourceNames(entries: readonly FleetEntry[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name } of entries) {
    const allowed = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "");
    const other = [...names].find(([, taken]) => taken === allowed)?.[0];
    if (allowed === "" || allowed.length > LONGEST_NAME || other !== undefined) {
      const reason =
        other !== undefined
          ? `${name} and ${other} would both be called ${allowed}`
          : `${name} cannot be the name of an object in Kubernetes, which has 1 to ${LONGEST_NAME} letters, digits and dashes`;
      throw new CliError(`${reason}: give the workspace another name, and set its stack to the former one`);
    }
    names.set(name, allowed);
  }
  return names;
}

function withContainerPaths(entry: FleetEntry, fleetFile: string, directory: string): FleetEntry {
  refuseBackend(entry);
  const inImage = (path: string) => {
    const within = relative(dirname(fleetFile), path);
    if (within === ".." || within.startsWith(`..${sep}`))
      throw new CliError(
        `${entry.name}: ${path} is outside of the folder of ${fleetFile}, which the image contains: move it there`,
      );
    return posix.join(directory, ...within.split(sep));
  };
  const { file, overlays, allowPaths } = entry;
  return {
    ...entry,
    file: inImage(file),
    overlays: overlays.map(inImage),
    allowPaths: allowPaths.map(inImage),
  };
}

function refuseBackend({ name, backend }: FleetEntry): void {
  if (backend === undefined) return;
  if (backend.startsWith("file:"))
    throw new CliError(
      `${name}: pods cannot reach the state in ${backend}: set a backend such as s3://acme-state`,
    );
  const { password, searchParams } = new URL(backend);
  if (password !== "" || [...searchParams.keys()].some((key) => /secret|password|token/i.test(key)))
    throw new CliError(
      `${name}: the address of the backend contains a secret, which a manifest must not show: remove it there, and pass it in ` +
        "environment",
    );
}
