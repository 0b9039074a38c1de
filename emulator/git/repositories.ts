/** Git repositories of all projects. */
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProjectRow } from "../model.js";
import { Repository } from "./repository.js";

/**
 * Git repositories of the projects: below the data directory, or in a temporary folder that is removed with the
 * emulator.
 */
export class Repositories {
  private readonly open = new Map<number, Repository>();
  private readonly root: string;

  /** @param dataDir Data directory of the emulator. Without one, a temporary folder is created on demand. */
  constructor(private readonly dataDir: string | undefined) {
    this.root =
      dataDir === undefined
        ? join(tmpdir(), `workspace-emulator-${randomUUID()}`)
        : join(dataDir, "repositories");
  }

  of(project: ProjectRow): Repository {
    let repository = this.open.get(project.id);
    if (repository === undefined) {
      // Named by id, so that renaming the project moves nothing.
      repository = new Repository(join(this.root, `${project.id}.git`), project.default_branch);
      this.open.set(project.id, repository);
    }
    return repository;
  }

  async remove(project: ProjectRow): Promise<void> {
    this.open.delete(project.id);
    await rm(join(this.root, `${project.id}.git`), { recursive: true, force: true });
  }

  /** Removes all repositories, for a reset. */
  async clear(): Promise<void> {
    this.open.clear();
    await rm(this.root, { recursive: true, force: true });
    if (this.dataDir !== undefined) await mkdir(this.root, { mode: 0o700 });
  }

  async close(): Promise<void> {
    if (this.dataDir === undefined) await rm(this.root, { recursive: true, force: true });
  }
}
