/** Reads the parts of a workspace that several checks need, each once. */
import { encodeSegment } from "../../../client/path.js";
import { type Answer, type Question, type Questions, Unanswered } from "./send-requests.js";

export type Item = Readonly<Record<string, unknown>>;

/** One more than a page that clients request. */
export const LARGE_PAGE = 101;

export interface ReadList {
  readonly path: string;
  readonly array: string;
  /** The first page. */
  readonly items: readonly Item[];
}

interface SampledPipeline {
  readonly path: string;
  readonly pipeline: Item;
  readonly embedded: readonly Item[];
}

/** A limit for workspaces with many projects. */
const PROJECTS_READ = 4;
const PIPELINES_READ = 8;

export class WorkspaceReader {
  /** Whether a page that is too large is refused, as far as a list was read. */
  refusesLarge: boolean | undefined;
  readonly lists: ReadList[] = [];
  private readonly read = new Map<string, Promise<unknown>>();

  constructor(
    readonly questions: Questions,
    domain: string,
    /** Name of the scratch project, in which everything is ours. */
    private readonly scratch?: string,
  ) {
    this.root = `/workspaces/${encodeSegment(domain, "workspaces/")}`;
  }

  /** Path of the workspace. */
  readonly root: string;

  get(path: string, query?: Question["query"]): Promise<Answer> {
    return this.questions.ask({ method: "GET", path, query });
  }

  /** The first page of a list. @throws {Unanswered} when it cannot be read */
  list(path: string, array: string): Promise<ReadList> {
    return this.once(`list ${path}`, async () => {
      const items = requireItems(await this.firstPage(path), array);
      const found = { path, array, items };
      this.lists.push(found);
      return found;
    });
  }

  private async firstPage(path: string): Promise<Answer> {
    if (this.refusesLarge !== true) {
      const large = await this.get(path, { per_page: LARGE_PAGE });
      if (large.status === 200) {
        this.refusesLarge = false;
        return large;
      }
      if (large.status !== 400 || this.refusesLarge === false) throw createUnreadableError(large);
    }
    const plain = await this.get(path);
    if (plain.status !== 200) throw createUnreadableError(plain);
    this.refusesLarge = true;
    return plain;
  }

  projects(): Promise<readonly Item[]> {
    if (this.scratch !== undefined) return Promise.resolve([{ name: this.scratch }]);
    return this.list(`${this.root}/projects`, "projects").then(({ items }) =>
      items
        .filter(({ name }) => typeof name === "string" && !["", ".", ".."].includes(name))
        .slice(0, PROJECTS_READ),
    );
  }

  /** The pipelines of some projects. @throws {Unanswered} when none can be read */
  pipelines(): Promise<readonly (Item & { readonly path: string })[]> {
    return this.once("pipelines", async () => {
      const found: (Item & { readonly path: string })[] = [];
      let refusal: unknown;
      for (const { name } of await this.projects()) {
        const path = `${this.root}/projects/${encodeSegment(String(name), "projects/")}/pipelines`;
        try {
          const { items } = await this.list(path, "pipelines");
          found.push(...items.map((item) => ({ ...item, path: `${path}/${String(item["id"])}` })));
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          refusal ??= error;
        }
      }
      if (found.length === 0 && refusal !== undefined) throw refusal as Unanswered;
      return found;
    });
  }

  /** A pipeline with actions. @throws {Unanswered} when there is none */
  sample(): Promise<SampledPipeline> {
    return this.once("sample", async () => {
      const pipelines = await this.pipelines();
      for (const { path } of pipelines.slice(0, PIPELINES_READ)) {
        const { status, body } = await this.get(path);
        const embedded = readArray(body, "actions");
        if (status === 200 && embedded.length > 0) return { path, pipeline: body, embedded };
      }
      throw new Unanswered("no pipeline with actions can be seen");
    });
  }

  /** Does work once, however often its result is needed. */
  once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.read.get(key) as Promise<T> | undefined) ?? work();
    this.read.set(key, result);
    return result;
  }
}

export function readArray(body: Answer["body"], name: string): readonly Item[] {
  const items: unknown = body[name];
  const all: readonly unknown[] = Array.isArray(items) ? items : [];
  return all.filter((item): item is Item => typeof item === "object" && item !== null);
}

/** @throws {Unanswered} when the response is no such list */
export function requireItems(answer: Answer, array: string): readonly Item[] {
  if (answer.status !== 200) throw createUnreadableError(answer);
  if (!Array.isArray(answer.body[array]))
    throw new Unanswered(`the response does not contain the list "${array}"`);
  return readArray(answer.body, array);
}

export function createUnreadableError({ status }: Answer): Unanswered {
  return new Unanswered(
    status === 403
      ? "the token may not read what is needed (HTTP 403)"
      : `what is needed cannot be read (HTTP ${status})`,
  );
}
