/** Where a report comes from: the commit, the run and the files, as the CI's environment says. */
import type { Location } from "../../workspace-file/index.js";
import { readRunOrigin, type RunOrigin } from "../run-origin.js";
import { relateToRoot, findRoot } from "./problem-report.js";

export interface Origin extends Pick<RunOrigin, "commit" | "run"> {
  /** Returns the address of a line of a file in that commit. */
  readonly linkTo: (place: Location) => string | undefined;
}

export function readOrigin(env: NodeJS.ProcessEnv): Origin {
  const { commit, run, files } = readRunOrigin(env);
  return {
    commit,
    run,
    linkTo: ({ file, line }) => {
      const path = relateToRoot(file, findRoot(env));
      if (commit === undefined || files === undefined || /^[/<]|^\w:/.test(path)) return undefined;
      return `${files}/${commit}/${path.split("/").map(encodeURIComponent).join("/")}#L${line}`;
    },
  };
}
