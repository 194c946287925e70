import { isShown, recordShown } from "../visibility";

type Run = (command: CommandId) => void;

/** The action that only a keyboard shortcut has. */
const TOGGLE_PANE = "togglePane";

/** The keys by command, e.g. "Ctrl+Alt+Shift+M"; null where the person gave them to something else. */
export type Shortcuts = Readonly<Record<string, string | null>>;

/**
 * Handles commands of the ribbon, the cell menu and the keyboard; those before the first rendering wait for it.
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
    const handle = (event: Office.AddinCommands.Event | null) => {
      try {
        answer(command);
      } finally {
        event?.completed(); // at once: Excel holds back the next command until then; a keyboard shortcut has no event
      }
    };
    Office.actions.associate(command, handle);
    if (command === "freeze") Office.actions.associate("freezeSelection", handle); // as manifests installed before name it
  }
  Office.actions.associate(TOGGLE_PANE, togglePane);
  return (run) => {
    answer = run;
    for (const command of waiting.splice(0)) run(command);
  };
}

/** Shows the pane; where Excel cannot, its messages wait until it is opened. */
export async function showPane(): Promise<void> {
  try {
    await Office.addin.showAsTaskpane();
    recordShown(true);
  } catch {}
}

/** Hides a pane that is on the screen, and shows one that is not; a keyboard shortcut has no event. */
async function togglePane(event: Office.AddinCommands.Event | null): Promise<void> {
  event?.completed();
  if (!isShown()) return showPane();
  try {
    await Office.addin.hide();
    recordShown(false);
  } catch {}
}

/** Reads the person's own keys; empty where the host has no keyboard shortcuts. */
export async function readShortcuts(): Promise<Shortcuts> {
  try {
    if (!Office.context.requirements.isSetSupported("KeyboardShortcuts", "1.1")) return {};
    return (await Office.actions.getShortcuts()) ?? {};
  } catch {
    return {};
  }
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

/** The commands of the pane's menu, in their groups. */
export const MENU = [
  ["refresh", "copyValues", "freeze", "thaw", "cancelRefresh"],
  ["aboutCell", "repair", "help"],
] as const;

export type CommandId = "refreshAll" | "refreshSelection" | (typeof MENU)[number][number];

/** All commands; the manifest names some of them for the ribbon and the cell menu. */
export const COMMANDS: readonly CommandId[] = ["refreshAll", "refreshSelection", ...MENU.flat()];
