import { definitions } from "../../../../provider/index.js";
import { deletesIn, unnamedDeletes } from "../deletes.js";
import type { PlannedObject } from "../../../engine/plan/objects.js";
import type { Guard } from "../types.js";

/** That the only object of a section goes says nothing: it may be what was meant. */
const SEVERAL = 2;

export const wholeSection: Guard = {
  code: "whole-section",
  refuses: `The deletion of everything in a section, such as \`groups\` or the variables of a pipeline, once that is ${SEVERAL} objects or more.`,
  settings: "`sectionDeletion: allow`, `allowDelete`; `--allow-delete PATTERN`",
  judge(judged) {
    if (judged.settings.sectionDeletion === "allow") return undefined;
    const gone = new Set(deletesIn(judged).map(({ name }) => name));
    const unnamed = unnamedDeletes(judged);
    const found = [...sectionsOf(judged.objects)]
      // What goes with what it stands in is that one's deletion.
      .filter(([section]) => !gone.has(parentOf(section)))
      .filter(([, objects]) => objects.every(({ operation }) => operation === "delete"))
      .map(([section, objects]) => ({ section, objects: objects.filter((one) => unnamed.includes(one)) }))
      .filter(({ objects }) => objects.length >= SEVERAL);
    if (found.length === 0) return undefined;
    const told = found.map(({ section, objects }) => `${section} (${objects.length} objects)`);
    return {
      message: `everything in ${told.join(", ")} would be deleted`,
      objects: found.flatMap(({ objects }) => objects.map(({ name }) => name)),
      remedy: found.map(({ section }) => `--allow-delete "${section}/**"`).join(" "),
    };
  },
};

/** The objects of each section, before and after the plan, by the section's place in the file. */
function sectionsOf(objects: readonly PlannedObject[]): Map<string, PlannedObject[]> {
  const sections = new Map<string, PlannedObject[]>();
  for (const object of objects) {
    const section = parentOf(object.name);
    // In a program a name is anything; only where it is a place in a file does it tell a section.
    if (section.slice(section.lastIndexOf("/") + 1) !== sectionNames.get(object.type)) continue;
    sections.set(section, [...(sections.get(section) ?? []), object]);
  }
  return sections;
}

const sectionNames = new Map(definitions.map(({ type, document }) => [type, document?.section]));

function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf("/")));
}
