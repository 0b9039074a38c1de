/** What the state of the engine that started this process contains. Plain Pulumi names an object only when it compares, reads or deletes it. */
import type { Fields } from "../../resources/definition/definition.js";
import { parsePulumiType } from "../../resources/package-types.js";

/** An object that the stack manages. */
interface RecordedObject {
  /** Resource type, such as `Group`. */
  readonly type: string;
  readonly id: string;
  readonly outputs: Fields;
}

interface Checkpoint {
  readonly checkpoint?: {
    readonly latest?: {
      readonly resources?: readonly {
        readonly type: string;
        readonly id?: string;
        readonly outputs?: Fields;
        readonly external?: boolean;
      }[];
    };
  };
}

export class EngineState {
  private reading: Promise<readonly RecordedObject[] | undefined> | undefined;

  /** @param readText returns the text of the state, as far as it can be read; absent where this process has started the engine */
  constructor(private readonly readText?: () => Promise<string | undefined>) {}

  get mayBeReadable(): boolean {
    return this.readText !== undefined;
  }

  /** The objects at the time of the first call; undefined where the state cannot be read. */
  list(): Promise<readonly RecordedObject[] | undefined> {
    return (this.reading ??= this.read().catch(() => undefined));
  }

  /** Whether it certainly contains an object. */
  async contains(type: string, id: string): Promise<boolean> {
    return (await this.list())?.some((one) => one.type === type && one.id === id) === true;
  }

  private async read(): Promise<readonly RecordedObject[] | undefined> {
    const text = await this.readText?.();
    if (text === undefined) return undefined;
    const { checkpoint } = JSON.parse(text) as Checkpoint;
    return checkpoint?.latest?.resources?.flatMap(({ type: token, id = "", outputs = {}, external }) => {
      const type = parsePulumiType(token)?.type;
      return type === undefined || external === true ? [] : [{ type, id, outputs }];
    });
  }
}
