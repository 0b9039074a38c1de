/** Options of the commands that report findings. */
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { DATA_FORMAT, formats, type FormatRequest } from "../reporters/format-names.js";
import { createOutputOption } from "./common.js";
import type { OptionsOf } from "./infer-options.js";

export const reportOptions = () =>
  [
    formatOption(formats),
    new Option("--json", "Same as --format json"),
    createOutputOption(),
    new Option(
      "--state-file <file>",
      "Remember the findings in this file, and report whether they have changed",
    ),
    new Option("--webhook <url>", "Post the findings as JSON when they have changed since the last run"),
    new Option("--webhook-always", "Post the findings even when they have not changed"),
  ] as const;

export type DeliveryOptions = OptionsOf<ReturnType<typeof reportOptions>>;

/** Parses the name of a format. The text was called a table. */
export function formatNameIn<F extends string>(allowed: readonly F[]) {
  return (text: string): F => {
    const name = text === "table" ? "text" : text;
    if (allowed.includes(name as F) || name === DATA_FORMAT) return name as F;
    throw new InvalidArgumentError(`It must be one of ${allowed.join(", ")}.`);
  };
}

export function formatOption<F extends string>(allowed: readonly F[]) {
  return new Option(
    "--format <form[=file]>",
    `Report format: ${allowed.join(", ")}; repeatable, all but one with a file`,
  ).argParser((text: string, before: readonly FormatRequest<F>[] = []): readonly FormatRequest<F>[] => {
    const [name = "", ...rest] = text.split("=");
    const format = formatNameIn(allowed)(name);
    const file = rest.join("=");
    if (rest.length > 0 && file === "") throw new InvalidArgumentError("A file has to follow the =.");
    return [...before, { format, ...(file === "" ? {} : { file }) }];
  });
}
