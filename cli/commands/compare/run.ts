/** Runs `workspacectl compare`. */
import type { CompareOptions } from "./command.js";
import { randomBytes } from "node:crypto";
import { compareSources } from "./compare.js";
import {
  EXCEPTIONS_FILE,
  exceptionsFile,
  compareFailOn,
  type CompareReport,
  compareBaseline,
  compareReport,
} from "./report.js";
import { withMapping } from "./match-names.js";
import { parseSpecs, type SourceSpec } from "./source-arguments.js";
import { resolveConnection, type ConnectionProfile } from "../../../provider/index.js";
import { readLogins, warnOfDifferences } from "../../connection/connection.js";
import { readSources } from "./sources/index.js";
import { compareView } from "./view.js";
import { buildScope } from "../export/scope.js";
import type { Io } from "../../terminal/io.js";
import { readMapping } from "../replicate/mapping-file.js";
import { addAges, readFindingRecord, recordFindings } from "../../reporters/finding-record.js";
import { publishReport } from "../../reporters/report.js";
import { openDelivery } from "../../reporters/deliver-report.js";

/** Compares two workspaces, files or stacks. Writes none of them. */
export async function compare(options: CompareOptions, io: Io): Promise<number> {
  const began = Date.now();
  const { deliver } = openDelivery<CompareReport>(options, io);
  const suppressions = exceptionsFile.read(options.exceptions, EXCEPTIONS_FILE);
  const before = options.stateFile === undefined ? [] : readFindingRecord(options.stateFile);
  const scope = buildScope(options);
  const specs = parseSpecs(options, io);
  const [one, other] = specs.map((spec) => ({ name: spec.name, profile: findProfile(spec, io) }));
  if (one !== undefined && other !== undefined) warnOfDifferences(one, other, io);
  const written = specs.find((spec) => spec.kind === "file" && spec.file !== "-");
  const mapping = readMapping(options.mapping, written?.kind === "file" ? written.file : options.file);
  const people = [options.leftPeople, options.rightPeople] as const;
  const { allowPath: allowPaths, wait = false } = options;
  const reading = { scope, allowPaths, file: options.file, people, wait };
  const [left, right] = await readSources(specs, reading, io);

  // The key is random, so nobody can guess a secret by fingerprinting candidates.
  const key = randomBytes(32).toString("hex");
  const compared = compareSources(withMapping(left, right, mapping), right, key, scope.includes);
  const found = compareReport({
    left,
    right,
    compared,
    mapping: mapping.file,
    suppressions,
    scoped: [options.kinds, options.project, options.name].some((one) => one !== undefined),
    failOn: options.failOn ?? compareFailOn,
    now: new Date(),
    milliseconds: Date.now() - began,
  });
  const record = recordFindings(before, found);
  const report = options.stateFile === undefined ? found : addAges(found, record);
  await deliver(
    report,
    (aged) => ({ value: publishReport(aged, ["left", "right"]), view: compareView(aged, options) }),
    { ...compareBaseline(report), findings: record },
  );
  return report.exitCode;
}

/** The profile of a connection, if it has one. */
function findProfile(spec: SourceSpec, io: Io): ConnectionProfile | undefined {
  if (spec.kind !== "connection") return undefined;
  const explicit = spec.connection === undefined ? {} : { connection: spec.connection };
  return resolveConnection({ explicit, env: io.env, credentials: readLogins(io.env) }).profile;
}
