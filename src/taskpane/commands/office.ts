import { COMMANDS, type CommandId } from "./command";

type Run = (command: CommandId) => void;

/**
 * Handles commands of the ribbon and the cell menu; those before the first rendering wait for it.
 *
 * @param open opens the pane, whose script runs the commands
 * @returns sets the function that runs commands
 */
export function answerRibbon(open: () => void): (run: Run) => void {
  const waiting: CommandId[] = [];
  let answer: Run = (command) => {
    waiting.push(command);
    open();
  };
  for (const command of COMMANDS) {
    Office.actions.associate(command, (event: Office.AddinCommands.Event) => {
      try {
        answer(command);
      } finally {
        event.completed(); // at once: Excel holds back the next command until then
      }
    });
  }
  return (run) => {
    answer = run;
    for (const command of waiting.splice(0)) run(command);
  };
}

/** Shows the pane; where Excel cannot, its messages wait until it is opened. */
export async function showPane(): Promise<void> {
  try {
    await Office.addin.showAsTaskpane();
  } catch {}
}

/** Opens a page in the person's browser; false where the host cannot. */
export function browse(address: string): boolean {
  try {
    if (!Office.context.requirements.isSetSupported("OpenBrowserWindowApi", "1.1")) return false;
    Office.context.ui.openBrowserWindow(address);
    return true;
  } catch {
    return false;
  }
}
