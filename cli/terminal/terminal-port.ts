/** How the terminal of a command shows what operations report, and asks what they need. */
import type { Port } from "../../automation/port.js";
import { type Io, printMessage } from "../../reports/io.js";
import { makeOneLine } from "../../text/safe-text.js";

type OfTerminal = Pick<Port, "on" | "ask" | "askSecret" | "follow" | "followInstallation">;

/** Functions of every Io of a command. They use the streams of the Io that has them, which may replace those of another. */
export const terminalPort: OfTerminal & ThisType<Io> = {
  on(event) {
    if (event.type === "warning") printMessage(this, event.message);
    else if (event.type === "note" && !this.quiet) printMessage(this, makeOneLine(event.message));
  },
  async ask(question) {
    if (!this.interactive || this.quiet) return undefined;
    const { promptConfirmation } = await import("./answers.js");
    return promptConfirmation(question, this);
  },
  async askSecret(question) {
    if (!this.interactive) return undefined;
    const { askRequired } = await import("./answers.js");
    return askRequired(question, this);
  },
  async follow(frames) {
    const { showFrames } = await import("../../reports/progress/view.js");
    return showFrames(frames, this);
  },
  async followInstallation() {
    const { createProgressPrinter } = await import("../../toolchain/progress.js");
    return createProgressPrinter(this.stderr);
  },
};
