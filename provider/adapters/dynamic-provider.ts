/** The interface that Pulumi's host of dynamic providers calls. */
type Props = Record<string, unknown>;

/** The methods that the dynamic host calls; the shape of `pulumi.dynamic.ResourceProvider`. */
export interface DynamicProvider {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(
    olds: Props,
    news: Props,
  ): Promise<{ inputs: Props; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Props,
    news: Props,
  ): Promise<{
    changes: boolean;
    replaces: string[];
    deleteBeforeReplace: boolean;
    /** Arguments that differ. Pulumi's own host drops them. */
    changed?: readonly string[];
  }>;
  create(inputs: Props): Promise<{ id: string; outs: Props }>;
  /** @param inputs as in the state; Pulumi's own host does not pass them */
  read(id: string, props: Props, inputs?: Props): Promise<{ id: string; props: Props; inputs: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ outs: Props }>;
  delete(id: string, props: Props): Promise<void>;
  /** Replaces references to secrets, so that both sides can be compared. */
  compared(olds: Props, news: Props): Promise<{ readonly olds: Props; readonly news: Props }>;
}
