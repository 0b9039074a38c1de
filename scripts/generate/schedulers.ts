/** Generates the table of the forms of CRON expressions on which schedulers differ. */
import { cronForms, formatReadings, getReadings, schedulers } from "../../resources/cron/schedulers.js";
import { replaceSection } from "../section.js";

export function renderPipelinesGuide(): string {
  const rows = (Object.keys(cronForms) as (keyof typeof cronForms)[]).map((form) => {
    const { what, ...readings } = getReadings(form);
    return `| ${what} | \`${cronForms[form].examples[0]}\` | ${formatReadings(readings)} |`;
  });
  const part = `Tried with:

${Object.values(schedulers)
  .map((scheduler) => `- ${scheduler}`)
  .join("\n")}

| form | example | meanings |
|---|---|---|
${rows.join("\n")}`;
  return replaceSection(
    "docs/guides/pipelines.md",
    "`npm run generate` from resources/cron/schedulers.ts",
    part,
  );
}
