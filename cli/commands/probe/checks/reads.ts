/** The checks that only read, and the results of checks. */
import { isDeepStrictEqual } from "node:util";
import { assumedBehavior, type Behavior } from "../../../../assumptions/behavior.js";
import type { AssumptionId } from "../../../../assumptions/list-of-assumptions.js";
import type { Verdict } from "../../../../assumptions/profile.js";
import { formatCount } from "../../../../diff/format-count.js";
import { Unanswered, UNKNOWN_PATH, UNUSED_ID } from "../send-requests.js";
import {
  createUnreadableError,
  type Item,
  LARGE_PAGE,
  readArray,
  type ReadList,
  type WorkspaceReader,
} from "../workspace-reader.js";

export interface CheckResult {
  readonly verdict: Verdict;
  /** What was found, or why nothing was. Never contains a name or a value of the workspace. */
  readonly found: string;
  /** The measured behavior, if one was. */
  readonly value?: Behavior[keyof Behavior];
}

export const reportHolds = (found: string): CheckResult => ({ verdict: "holds", found });
export const reportDiffers = (found: string): CheckResult => ({ verdict: "differs", found });
export const reportUndecided = (why: string): CheckResult => ({ verdict: "undecided", found: why });

/** Compares a measured behavior with the assumed one. */
export function reportBehavior<K extends keyof Behavior>(
  name: K,
  value: Behavior[K],
  found: string,
): CheckResult {
  return { verdict: value === assumedBehavior[name] ? "holds" : "differs", found, value };
}

export type Check = (reader: WorkspaceReader) => Promise<CheckResult>;

/** The fields that every action has. */
const COMMON = [
  ...["url", "html_url", "id", "name", "type", "trigger_time", "run_only_on_first_failure"],
  ...["last_execution_status", "status", "pipeline"],
];

const findExtent = (actions: readonly Item[]) =>
  actions.some((action) => Object.keys(action).some((key) => !COMMON.includes(key))) ? "full" : "summary";

const inWords = { full: "all fields", summary: "the common fields only" } as const;

export const readChecks = {
  "single-action-paths": async (reader) => {
    const { path, embedded } = await reader.sample();
    const answer = await reader.get(`${path}/actions/${String(embedded[0]?.["id"])}`);
    if (answer.status === 403) throw createUnreadableError(answer);
    return reportBehavior(
      "singleActionPaths",
      answer.status === 200,
      `GET of an action: HTTP ${answer.status}`,
    );
  },
  "embedded-actions": async (reader) => {
    const extent = findExtent((await reader.sample()).embedded);
    return reportBehavior("embeddedActions", extent, `a pipeline shows ${inWords[extent]} of its actions`);
  },
  "listed-actions": async (reader) => {
    const answer = await readListedActions(reader);
    const extent = findExtent(answer);
    return reportBehavior("listedActions", extent, `the list shows ${inWords[extent]} of the actions`);
  },
  "action-status": async (reader) => {
    const [action = {}] = (await reader.sample()).embedded;
    const name = (["last_execution_status", "status"] as const).find((key) => key in action);
    if (name === undefined) return reportUndecided("a pipeline does not show the status of its actions");
    return reportBehavior("embeddedActionStatusField", name, `a pipeline shows it as ${name}`);
  },
  "show-schedule": async (reader) => {
    const scheduled = (await reader.pipelines()).find((one) => one["trigger_mode"] === "SCHEDULED");
    if (scheduled === undefined) return reportUndecided("no SCHEDULED pipeline can be seen");
    const { status, body } = await reader.get(scheduled.path);
    if (status !== 200) return reportUndecided(`the pipeline cannot be read (HTTP ${status})`);
    const isShown = ["start_date", "delay", "cron"].some((key) => key in body);
    return reportBehavior(
      "showSchedule",
      isShown,
      isShown ? "the schedule is shown" : "the schedule is not shown",
    );
  },
  "member-email": async (reader) => {
    const { items } = await reader.list(`${reader.root}/members`, "members");
    if (items.length === 0) return reportUndecided("no member can be seen");
    const isShown = items.some(({ email }) => typeof email === "string" && email !== "");
    return reportBehavior(
      "echoMemberEmail",
      isShown,
      isShown ? "members have their address" : "no member has an address",
    );
  },
  "encrypted-values": async (reader) => {
    const path = `${reader.root}/variables`;
    const { items } = await reader.list(path, "variables");
    const masked = items.find(({ encrypted, ssh_key }) => encrypted === true || ssh_key === true);
    if (masked === undefined) return reportUndecided("no encrypted variable of the workspace can be seen");
    return checkMask(reader, `${path}/${String(masked["id"])}`, masked["value"]);
  },
  "page-size": checkPageSize,
  "large-pages": checkLargePages,
  "missing-status": async (reader) => {
    const { path, what } = await findReadableList(reader);
    const { status } = await reader.get(`${path}/${UNUSED_ID}`);
    const found = `GET of ${what} that does not exist: HTTP ${status}`;
    if (status === 404 || status === 400 || status === 403)
      return reportBehavior("missingStatus", status, found);
    return reportDiffers(found);
  },
  "unauthorized-status": async (reader) => {
    const { status } = await reader.questions.ask({ method: "GET", path: "/workspaces", unknownToken: true });
    const found = `GET with an unknown token: HTTP ${status}`;
    return status === 401 ? reportHolds(found) : reportDiffers(found);
  },
  "invalid-url": async (reader) => {
    const { status, messages } = await reader.get(`${reader.root}/${UNKNOWN_PATH}`);
    const isNamed = messages.some((message) => message.startsWith("Invalid url"));
    const found = `GET of a path that does not exist: HTTP ${status}${isNamed ? ", Invalid url" : ""}`;
    return status === 400 && isNamed ? reportHolds(found) : reportDiffers(found);
  },
  "rate-headers": async (reader) => {
    const { rate } = await reader.get(reader.root);
    if (rate === null) return reportDiffers("a response has no headers of the rate limit");
    const isPlausible = rate.resetInSeconds > -60 && rate.resetInSeconds <= 2 * 60 * 60;
    return isPlausible
      ? reportHolds("a response has them")
      : reportDiffers("the reset is not within the next two hours");
  },
} as const satisfies Partial<Record<AssumptionId, Check>>;

/** Reads a variable twice, and compares its masked forms. */
export async function checkMask(reader: WorkspaceReader, path: string, first: unknown): Promise<CheckResult> {
  const forms = [first];
  for (let times = 0; times < 2; times++) {
    const answer = await reader.get(path);
    if (answer.status !== 200) throw createUnreadableError(answer);
    forms.push(answer.body["value"]);
  }
  const value = new Set(forms).size === 1 ? "stable" : "changing";
  const found = `three responses show ${value === "stable" ? "the same masked form" : "different masked forms"}`;
  return reportBehavior("encryptedValues", value, found);
}

async function readListedActions(reader: WorkspaceReader): Promise<readonly Item[]> {
  const { path } = await reader.sample();
  const answer = await reader.get(`${path}/actions`);
  if (answer.status !== 200) throw createUnreadableError(answer);
  return readArray(answer.body, "actions");
}

/** A list that can be read, so that a refusal in it is no lack of rights. */
async function findReadableList(
  reader: WorkspaceReader,
): Promise<{ readonly path: string; readonly what: string }> {
  const pipelines = await reader.pipelines().then(
    () => reader.lists.find(({ array }) => array === "pipelines"),
    () => undefined,
  );
  if (pipelines !== undefined) return { path: pipelines.path, what: "a pipeline" };
  const { path } = await reader.list(`${reader.root}/groups`, "groups");
  return { path, what: "a group" };
}

/** The largest page, and how it was found. */
interface Largest {
  readonly size: number | undefined;
  readonly found: string;
}

/** A page of the spec's default size ends no list, whatever the maximum is. */
const DEFAULT_PAGE = 20;

async function checkPageSize(reader: WorkspaceReader): Promise<CheckResult> {
  const { size, found } = await findLargest(reader);
  if (size === undefined) return reportUndecided(found);
  return { verdict: size < DEFAULT_PAGE ? "differs" : "holds", found, value: size };
}

async function checkLargePages(reader: WorkspaceReader): Promise<CheckResult> {
  await findLongest(reader);
  if (reader.refusesLarge === true)
    return reportBehavior("largePages", "refused", `per_page=${LARGE_PAGE} is refused (HTTP 400)`);
  return reportBehavior("largePages", "reduced", `per_page=${LARGE_PAGE} is accepted`);
}

function findLargest(reader: WorkspaceReader): Promise<Largest> {
  return reader.once("largest page", async () => {
    const [longest, ...others] = await listLongest(reader);
    const { path, items } = longest;
    if (reader.refusesLarge === true) return searchLargest(reader, path);
    if (items.length >= LARGE_PAGE)
      return { size: undefined, found: `a page has at least ${LARGE_PAGE} items` };
    const { length } = items;
    // Only a list whose first page is as long as any other one can have another page.
    for (const list of [longest, ...others].slice(0, MOST_TRIED))
      if (list.items.length === length && (await hasNextPage(reader, list)))
        return { size: length, found: `a page has at most ${formatCount(length, "item")}` };
    return {
      size: undefined,
      found: `no list that was read has more than one page (${formatCount(length, "item")})`,
    };
  });
}

/** Searches the largest page that is accepted. */
async function searchLargest(reader: WorkspaceReader, path: string): Promise<Largest> {
  let [accepted, refused] = [0, LARGE_PAGE];
  for (let size = DEFAULT_PAGE; refused - accepted > 1; size = Math.floor((accepted + refused) / 2)) {
    const { status } = await reader.get(path, { per_page: size });
    if (status === 200) accepted = size;
    else if (status === 400) refused = size;
    else throw new Unanswered(`a page of ${size} items cannot be read (HTTP ${status})`);
  }
  return { size: accepted || undefined, found: `per_page=${accepted} is accepted, and ${refused} is not` };
}

/** How many lists of the same length are tried. */
const MOST_TRIED = 5;

async function hasNextPage(reader: WorkspaceReader, { path, array, items }: ReadList): Promise<boolean> {
  const next = await reader.get(path, { per_page: LARGE_PAGE, page: 2 });
  const [first] = next.status === 200 ? readArray(next.body, array) : [];
  // A list without pages is the same whatever page is requested.
  return first !== undefined && !items.some((item) => isDeepStrictEqual(item, first));
}

/** The lists that were read, the longest first. */
async function listLongest(reader: WorkspaceReader): Promise<[ReadList, ...ReadList[]]> {
  await reader.pipelines().catch(ignoreUnanswered);
  for (const array of ["members", "groups", "variables"])
    await reader.list(`${reader.root}/${array}`, array).catch(ignoreUnanswered);
  const [first, ...others] = reader.lists.toSorted((a, b) => b.items.length - a.items.length);
  if (first === undefined) throw new Unanswered("no list can be read");
  return [first, ...others];
}

async function findLongest(reader: WorkspaceReader): Promise<ReadList> {
  return (await listLongest(reader))[0];
}

function ignoreUnanswered(error: unknown): void {
  if (!(error instanceof Unanswered)) throw error;
}
