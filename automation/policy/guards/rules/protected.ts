/** Guards: a plan deletes a protected object, one of a protected kind, or a project, without naming it. */
import {
  formatFlagsNaming,
  formatSettingNaming,
  listDeletedProjects,
  listNamesOfProject,
  listProjectsNamed,
  listUnnamedDeletes,
} from "../deletes.js";
import type { Guard } from "../types.js";

export const protectedObject: Guard = {
  code: "protected-object",
  refuses: "The deletion or replacement of an object that was declared with `protect: true`.",
  settings: "`protect` of the entry, `allowDelete`; `--allow-delete PATTERN`",
  judge(judged) {
    const projects = listDeletedProjects(judged);
    // Projects are protected by default and have a guard of their own.
    const objects = listUnnamedDeletes(judged).filter((one) => one.protected && !projects.includes(one));
    if (objects.length === 0) return undefined;
    const verb = objects.every(({ operation }) => operation === "replace") ? "replaced" : "deleted";
    return {
      message: `${objects.map(({ name }) => name).join(", ")} would be ${verb}, but is protected`,
      objects: objects.map(({ name }) => name),
      remedy: formatFlagsNaming(objects, judged),
      remedyInFile: formatSettingNaming(objects, judged),
    };
  },
};

export const protectedKind: Guard = {
  code: "protected-kind",
  refuses: "The deletion or replacement of an object of a protected type that no pattern names.",
  settings: "`protectedKinds`, `allowDelete`; `--allow-delete PATTERN`",
  setting: "protectedKinds",
  asksForNames: true,
  judge(judged) {
    const kinds = judged.settings.protectedKinds ?? [];
    const objects = listUnnamedDeletes(judged).filter(({ type }) => kinds.includes(type));
    if (objects.length === 0) return undefined;
    const types = [...new Set(objects.map(({ type }) => type))].join(", ");
    return {
      message: `${objects.length} of protected types would be deleted: ${types}`,
      objects: objects.map(({ name }) => name),
      remedy: formatFlagsNaming(objects, judged),
      remedyInFile: formatSettingNaming(objects, judged),
    };
  },
};

export const projectDeletion: Guard = {
  code: "project-deletion",
  refuses:
    "The deletion or replacement of a project (its repository, pipelines and their history) without naming it.",
  settings: "`projectDeletion: allow`; `--delete-project NAME`",
  setting: "projectDeletion",
  asksForNames: true,
  judge(judged) {
    if (judged.settings.projectDeletion === "allow") return undefined;
    const named = listProjectsNamed(judged);
    const projects = listDeletedProjects(judged).filter((project) => !named.includes(project));
    if (projects.length === 0) return undefined;
    const names = projects.map((project) => listNamesOfProject(project)[0] ?? project.name);
    return {
      message: `project ${names.join(", ")} would be deleted with its repository, its pipelines and their history`,
      objects: projects.map(({ name }) => name),
      remedy: names.map((name) => `--delete-project ${name}`).join(" "),
      remedyInFile: "guards: { projectDeletion: allow }",
    };
  },
};
