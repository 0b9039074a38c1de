/** Prompts of `init`. Ctrl-C cancels them, and nothing is written. */
import { confirm, multiselect, select, text } from "@clack/prompts";
import type { Io } from "../../../reports/io.js";
import { promptAnswer } from "../../terminal/answers.js";
import { isBackend, LOCAL } from "./first-files.js";
import type { ExistingProject, ExistingStrategy } from "./init-command.js";

const LATER = "";

/** Asks for one of the stored connections. */
export async function askForConnection(known: readonly string[], io: Io): Promise<string | undefined> {
  if (known.length === 0) return undefined;
  const options = [
    ...known.map((value) => ({ value, label: value })),
    { value: LATER, label: "none: the stack's configuration sets it" },
  ];
  const answer = requireAnswer(await select({ message: "Which connection?", options, ...on(io) }));
  return answer === LATER ? undefined : answer;
}

export function askForWorkspace(expected: string | undefined, io: Io): Promise<string> {
  const message = "Domain of the workspace, as in its address";
  const validate = (value: string | undefined) =>
    (value ?? "").trim() === "" ? "Enter the domain, such as acme." : undefined;
  return askLine(message, io, { initialValue: expected ?? "", validate });
}

/** Asks which existing projects the file should contain, and how. */
export async function askForExisting(there: readonly ExistingProject[], io: Io): Promise<ExistingProject[]> {
  if (there.length === 0) return [];
  const options = there.map(({ name, displayName }) => ({
    value: name,
    label: name,
    ...(displayName === undefined ? {} : { hint: displayName }),
  }));
  const message = "Which existing projects should the file contain?";
  const names = requireAnswer(await multiselect({ message, options, required: false, ...on(io) }));
  if (names.length === 0) return [];
  const strategies: { value: ExistingStrategy; label: string }[] = [
    { value: "external", label: "refer to them; they are never changed" },
    { value: "adopt", label: "manage them from now on (adopt)" },
  ];
  const strategy = requireAnswer(
    await select({ message: "What should the file do with them?", options: strategies, ...on(io) }),
  );
  return there.filter(({ name }) => names.includes(name)).map((each) => ({ ...each, strategy }));
}

export async function askForProjects(taken: ReadonlySet<string>, io: Io): Promise<string[]> {
  const validate = (value: string | undefined) => {
    const names = splitAnswer(value);
    const blank = names.find((name) => /\s/.test(name));
    if (blank !== undefined)
      return `"${blank}" contains a space: write ${blank.replaceAll(/\s+/g, "-")}, or separate two names with a comma.`;
    const duplicate = names.find((name) => taken.has(name));
    return duplicate === undefined ? undefined : `Project ${duplicate} already exists.`;
  };
  return splitAnswer(
    await askLine("Projects to create, separated by commas (may be empty)", io, { validate }),
  );
}

export async function askForMembers(io: Io): Promise<string[]> {
  const validate = (value: string | undefined) => {
    const wrong = splitWords(value).find((each) => !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(each));
    return wrong === undefined ? undefined : `${wrong} is not an e-mail address.`;
  };
  return splitWords(
    await askLine("E-mail addresses of people to invite, separated by commas (may be empty)", io, {
      validate,
    }),
  );
}

export async function askForAdmins(members: readonly string[], io: Io): Promise<string[]> {
  if (members.length === 0) return [];
  const options = members.map((value) => ({ value, label: value }));
  const message = "Which of them administer the workspace?";
  return requireAnswer(await multiselect({ message, options, required: false, ...on(io) }));
}

export async function wantsPulumi(io: Io): Promise<boolean> {
  const message = "Create a Pulumi project of your own too? (workspacectl works without one)";
  return requireAnswer(await confirm({ message, initialValue: false, ...on(io) }));
}

/** Asks for the location of the state: LOCAL, or an address. */
export async function askForBackend(io: Io): Promise<string> {
  const elsewhere = "address";
  const options = [
    { value: LOCAL, label: "here: .pulumi-state/ next to the file, on this machine only" },
    {
      value: elsewhere,
      label: "at an address: for others and for CI (s3://..., https://api.pulumi.com, ...)",
    },
  ];
  const where = requireAnswer(
    await select({ message: "Where should the state be stored?", options, ...on(io) }),
  );
  if (where === LOCAL) return LOCAL;
  const validate = (value: string | undefined) =>
    isBackend((value ?? "").trim()) ? undefined : "Enter an address with its scheme, such as s3://bucket.";
  return askLine("Address of the state", io, { validate });
}

type LineOptions = Partial<Pick<Parameters<typeof text>[0], "initialValue" | "validate">>;

async function askLine(message: string, io: Io, options: LineOptions): Promise<string> {
  return (requireAnswer(await text({ message, ...options, ...on(io) })) ?? "").trim();
}

const splitAnswer = (value: string | undefined) =>
  (value ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
const splitWords = (value: string | undefined) => (value ?? "").split(/[,\s]+/).filter((word) => word !== "");
const on = (io: Io) => ({ input: io.stdin, output: io.stderr });

function requireAnswer<T>(answer: T): Exclude<T, symbol> {
  return promptAnswer(answer, "nothing was written");
}
