/** Frames of the files that rules give as examples, so that an example shows what it is about. */

/**
 * A file with one pipeline.
 * @param about what is said of the pipeline, a line each
 * @param actions its list of actions, as YAML
 */
export function pipelineFile(name: string, about: string, actions?: string): string {
  const list = actions === undefined ? "" : `actions:\n${indented(actions, 2)}`;
  return `version: 1\nprojects:\n  web:\n    pipelines:\n      ${name}:\n${indented(`${about}\n${list}`, 8)}\n`;
}

/** A file with one pipeline that is run by hand. */
export function manualPipeline(name: string, actions?: string): string {
  return pipelineFile(name, "triggerMode: MANUAL\nrefType: BRANCH\nrefName: main", actions);
}

function indented(text: string, by: number): string {
  return text.trim().replace(/^(?=.)/gm, " ".repeat(by));
}
