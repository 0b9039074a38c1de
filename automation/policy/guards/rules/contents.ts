/** Guards: a plan deletes everything in a section, or what no file declares along with the object that contains it. */
import { compareTexts } from "../../../../diff/finding.js";
import { formatCount } from "../../../../diff/format-count.js";
import { definitions } from "../../../../provider/index.js";
import { LogicalName } from "../../../../resources/definition/logical-name.js";
import type { PlannedObject } from "../../../plan/planned-objects.js";
import {
  allowDeleteSetting,
  allowsDeletion,
  formatFlagsNaming,
  formatSettingNaming,
  keepOutermost,
  listDeletes,
  listUnnamedDeletes,
} from "../deletes.js";
import type { Guard } from "../types.js";

/** Minimum number of objects. Deleting the only object of a section is usually intended. */
const SEVERAL = 2;

export const wholeSection: Guard = {
  code: "whole-section",
  refuses: `The deletion of everything in a section, such as \`groups\` or the variables of a pipeline, once that is ${SEVERAL} objects or more.`,
  settings: "`sectionDeletion: allow`, `allowDelete`; `--allow-delete PATTERN`",
  setting: "sectionDeletion",
  asksForNames: true,
  judge(judged) {
    if (judged.settings.sectionDeletion === "allow") return undefined;
    const gone = new Set(listDeletes(judged).map(({ name }) => name));
    const unnamed = listUnnamedDeletes(judged);
    const found = [...groupBySectionName(judged.objects)]
      // Excludes sections whose parent is deleted too.
      .filter(([section]) => !gone.has(new LogicalName(section).section))
      .filter(([, objects]) => objects.every(({ operation }) => operation === "delete"))
      .map(([section, objects]) => ({ section, objects: objects.filter((one) => unnamed.includes(one)) }))
      .filter(({ objects }) => objects.length >= SEVERAL)
      // The engine's events are in no certain order.
      .toSorted((a, b) => compareTexts([a.section], [b.section]));
    if (found.length === 0) return undefined;
    const counts = found.map(({ section, objects }) => `${section} (${objects.length} objects)`);
    return {
      message: `everything in ${counts.join(", ")} would be deleted`,
      objects: found.flatMap(({ objects }) => objects.map(({ name }) => name)),
      remedy: found.map(({ section }) => `--allow-delete "${section}/**"`).join(" "),
      remedyInFile: allowDeleteSetting(found.map(({ section }) => `${section}/**`)),
    };
  },
};

/** Returns the objects of each section, before and after the plan, by the location of the section. */
function groupBySectionName(objects: readonly PlannedObject[]): Map<string, PlannedObject[]> {
  const sections = new Map<string, PlannedObject[]>();
  for (const object of objects) {
    const { section } = new LogicalName(object.name);
    // Names in programs are arbitrary, and name a section only in workspace files.
    if (new LogicalName(section).key !== sectionNames.get(object.type)) continue;
    sections.set(section, [...(sections.get(section) ?? []), object]);
  }
  return sections;
}

const sectionNames = new Map(definitions.map(({ type, document }) => [type, document?.section]));

export const unmanagedContents: Guard = {
  code: "unmanaged-contents",
  refuses:
    "The deletion of what no file declares, along with the object that contains it: somebody may have created it by hand.",
  settings: "`unmanagedContents: allow`, `allowDelete`; `--allow-delete PATTERN`",
  setting: "unmanagedContents",
  asksForNames: true,
  judge(judged) {
    if (judged.settings.unmanagedContents === "allow") return undefined;
    const found = (judged.contents ?? []).filter(({ name }) => !allowsDeletion(judged, name));
    if (found.length === 0) return undefined;
    const owners = keepOutermost(found.map(({ within }) => within)).map(({ name }) => name);
    return {
      message: `${formatCount(found.length, "object")} that no file declares would be deleted with ${owners.join(", ")}`,
      objects: found.map(({ name }) => name),
      remedy: formatFlagsNaming(found, judged),
      remedyInFile: formatSettingNaming(found, judged) ?? "guards: { unmanagedContents: allow }",
    };
  },
};
