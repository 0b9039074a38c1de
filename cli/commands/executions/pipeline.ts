/** Resolves PROJECT/PIPELINE to the pipeline's id. */
import { isServiceError, type WorkspaceAutomationClient } from "../../../client/index.js";
import { suggestOr } from "../../../provider/definition/problems.js";
import { formatFirst } from "../../lists.js";
import { CliError } from "../../errors.js";
import type { OpenService } from "../../connection/api-client.js";

/** A pipeline, as paths and messages need it. */
export interface PipelineAt {
  readonly domain: string;
  readonly project: string;
  readonly id: number;
  /** As the user wrote it, for messages. */
  readonly text: string;
}

/**
 * Finds the pipeline by its name, or by its id when no pipeline has that name.
 * @throws {CliError} when there is none, or several of that name (with their ids)
 */
export async function findPipeline(service: OpenService, text: string): Promise<PipelineAt> {
  const slash = text.indexOf("/");
  const [project, name] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  if (project === "" || name === "") {
    throw new CliError(
      `"${text}" is not a pipeline`,
      "write PROJECT/PIPELINE, such as web/deploy or web/1234",
    );
  }
  const domain = await service.workspace();
  const pipelines = await listPipelinesOf(service.client, domain, project);
  const named = pipelines.filter((pipeline) => pipeline.name === name);
  const [first, second] = named;
  if (first && second) {
    const ids = named.map(({ id }) => `${project}/${id}`).join(", ");
    throw new CliError(
      `project ${project} has ${named.length} pipelines named ${name}`,
      `choose one by its number: ${ids}`,
    );
  }
  const id =
    first?.id ??
    (/^\d+$/.test(name) ? await findNumbered(service.client, { domain, project }, name) : undefined);
  if (id !== undefined) return { domain, project, id, text };
  const names = pipelines.map((pipeline) => pipeline.name ?? "");
  const others = names.length === 0 ? "it has no pipelines" : `It has: ${formatFirst(names, 10)}`;
  throw new CliError(
    `project ${project} of workspace ${domain} has no pipeline "${name}"`,
    suggestOr(name, names, others),
  );
}

async function listPipelinesOf(client: WorkspaceAutomationClient, domain: string, project: string) {
  try {
    return await client.pipelines.list(domain, project).toArray();
  } catch (error) {
    if (!isServiceError(error, "not-found")) throw error;
    const message = `there is no project "${project}" in workspace ${domain}, or this user may not see it`;
    throw new CliError(
      message,
      `run "workspacectl whoami --workspace ${domain}" to see what this user may see`,
      {
        cause: error,
      },
    );
  }
}

/** Finds a pipeline by its id, even when lists hide it from the user. */
async function findNumbered(
  client: WorkspaceAutomationClient,
  { domain, project }: { domain: string; project: string },
  text: string,
): Promise<number | undefined> {
  try {
    return (await client.pipelines.get(domain, project, Number(text))).id;
  } catch (error) {
    if (isServiceError(error, "not-found")) return undefined;
    throw error;
  }
}
