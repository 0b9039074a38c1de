/** What the help of a command shows: a sub-command's options include those that it inherits, and only the program's are global. */
import { Help, type Command, type HelpConfiguration, type Option } from "commander";

/** @param refused attributes of inherited options that the command does not support */
export function createHelpSettings(refused: readonly string[] = []): HelpConfiguration {
  const isShown = (option: Option) => !option.hidden && !refused.includes(option.attributeName());
  return {
    showGlobalOptions: true,
    visibleOptions: (command) => {
      const inherited = listAncestors(command)
        .filter(({ parent }) => parent !== null)
        .flatMap(({ options }) => options.filter(isShown));
      return [...new Help().visibleOptions(command), ...inherited];
    },
    visibleGlobalOptions: (command) => {
      const program = listAncestors(command).at(-1);
      return program?.options.filter(isShown) ?? [];
    },
  };
}

function listAncestors({ parent }: Command): Command[] {
  return parent === null ? [] : [parent, ...listAncestors(parent)];
}
