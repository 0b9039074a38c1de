/** A seed that is not one: says where and what. */
export class SeedError extends Error {
  constructor(
    message: string,
    /** One line per problem, each beginning with the path of the value. */
    readonly problems: readonly string[] = [],
  ) {
    super([message, ...problems.map((line) => `  ${line}`)].join("\n"));
    this.name = "SeedError";
  }
}
