/** The checks of page sizes. */
import { formatCount } from "../../../../diff/format-count.js";
import { reportBehavior, reportUndecided, type CheckResult } from "../check-results.js";
import { Unanswered } from "../send-requests.js";
import { readArray, LARGE_PAGE, type ReadList, type WorkspaceReader } from "../workspace-reader.js";

/** The largest page, and how it was found. */
interface Largest {
  readonly size: number | undefined;
  readonly found: string;
}

/** A page of the spec's default size ends no list, whatever the maximum is. */
const DEFAULT_PAGE = 20;

export async function checkPageSize(reader: WorkspaceReader): Promise<CheckResult> {
  const { size, found } = await findLargest(reader);
  if (size === undefined) return reportUndecided(found);
  return { verdict: size < DEFAULT_PAGE ? "differs" : "holds", found, value: size };
}

export async function checkLargePages(reader: WorkspaceReader): Promise<CheckResult> {
  await findLongest(reader);
  if (reader.refusesLarge === true)
    return reportBehavior("largePages", "refused", `per_page=${LARGE_PAGE} is refused (HTTP 400)`);
  return reportBehavior("largePages", "reduced", `per_page=${LARGE_PAGE} is accepted`);
}

function findLargest(reader: WorkspaceReader): Promise<Largest> {
  return reader.once("largest page", async () => {
    const { path, array, items } = await findLongest(reader);
    if (reader.refusesLarge === true) return searchLargest(reader, path);
    if (items.length >= LARGE_PAGE)
      return { size: undefined, found: `a page has at least ${LARGE_PAGE} items` };
    const next = await reader.get(path, { per_page: LARGE_PAGE, page: 2 });
    if (next.status === 200 && readArray(next.body, array).length > 0)
      return { size: items.length, found: `a page has at most ${items.length} items` };
    return {
      size: undefined,
      found: `no list that was read has more than one page (${formatCount(items.length, "item")})`,
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

/** The longest of the lists that were read. */
async function findLongest(reader: WorkspaceReader): Promise<ReadList> {
  await reader.pipelines().catch(ignoreUnanswered);
  await reader.list(`${reader.root}/members`, "members").catch(ignoreUnanswered);
  const paged = reader.lists.filter(({ array }) => ["projects", "pipelines", "members"].includes(array));
  const [first] = paged.toSorted((a, b) => b.items.length - a.items.length);
  if (first === undefined) throw new Unanswered("no list with pages can be read");
  return first;
}

function ignoreUnanswered(error: unknown): void {
  if (!(error instanceof Unanswered)) throw error;
}
