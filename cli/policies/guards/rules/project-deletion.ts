/** Guard: a plan deletes a project that was not named. */
import { listDeletedProjects, listNamesOfProject, listProjectsNamed } from "../deletes.js";
import type { Guard } from "../types.js";

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
