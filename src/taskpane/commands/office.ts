import { COMMANDS, type CommandId } from "./command";

type Run = (command: CommandId) => void;

/**
 * Answers the ribbon and the cell's menu from now on; what they ask for before there is a pane waits for it.
 *
 * @returns Takes what runs commands, once there is a pane.
 */
export function answerRibbon(): (run: Run) => void {
  const waiting: CommandId[] = [];
  let answer: Run = (command) => void waiting.push(command);
  for (const command of COMMANDS) {
    Office.actions.associate(command, (event: Office.AddinCommands.Event) => {
      try {
        answer(command);
      } finally {
        event.completed(); // at once: the page lives on, and Excel would hold back the next command meanwhile
      }
    });
  }
  return (run) => {
    answer = run;
    for (const command of waiting.splice(0)) run(command);
  };
}

/** Has Excel show the pane. Where it cannot, what is said there waits for whoever opens it. */
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
