/** Options of the commands that report findings. */
import { InvalidArgumentError, Option } from "commander";
import { formats, type FormatRequest } from "../reporters/format-names.js";
import { outputOption } from "./common.js";

export const reportOptions = () => [
  formatOption(formats),
  new Option("--json", "Same as --format json"),
  outputOption(),
  new Option(
    "--state-file <file>",
    "Remember the findings in this file, and report whether they have changed",
  ),
  new Option("--webhook <url>", "Post the findings as JSON when they have changed since the last run"),
  new Option("--webhook-always", "Post the findings even when they have not changed"),
];

export function formatOption<F extends string>(allowed: readonly F[]): Option {
  return new Option(
    "--format <form[=file]>",
    `Report format: ${allowed.join(", ")}; repeatable, all but one with a file`,
  ).argParser((text: string, before: readonly FormatRequest<F>[] = []): readonly FormatRequest<F>[] => {
    const [format = "", ...rest] = text.split("=");
    const file = rest.join("=");
    if (!allowed.includes(format as F))
      throw new InvalidArgumentError(`It must be one of ${allowed.join(", ")}.`);
    if (rest.length > 0 && file === "") throw new InvalidArgumentError("A file has to follow the =.");
    return [...before, { format: format as F, ...(file === "" ? {} : { file }) }];
  });
}
