import { letClose } from "../strip";
import type { Texts } from "../texts";
import type { SaveState } from "./autosave";
import { WORKBOOK_COMMANDS, type WorkbookCommand } from "./commands";

/** The open workbook's name, state and menu in the strip. */
export interface WorkbookMenu {
  showName(name: string): void;
  showState(state: SaveState): void;
  /** Shows a sentence below the strip, until the next one or until it is closed; an empty one shows nothing. */
  showNote(sentence: string): void;
}

/**
 * Binds the menu's markup.
 *
 * @param isOffered whether a command is in the menu at the moment
 */
export function createWorkbookMenu(
  root: Document,
  texts: Texts,
  formatTime: (ms: number) => string,
  run: (command: WorkbookCommand) => void,
  isOffered: (command: WorkbookCommand) => boolean,
): WorkbookMenu {
  const part = (id: string) => root.getElementById(id) as HTMLElement;
  const fold = part("workbooks") as HTMLDetailsElement;
  const buttons = WORKBOOK_COMMANDS.map((command) => {
    const button = Object.assign(root.createElement("button"), {
      type: "button",
      textContent: texts.workbookCommands[command],
    });
    button.addEventListener("click", () => {
      fold.open = false;
      fold.querySelector("summary")?.focus(); // where a dialog returns the focus to
      run(command);
    });
    return [command, button] as const;
  });
  part("workbooks-list").append(...buttons.map(([, button]) => button));
  fold.addEventListener("toggle", () => {
    for (const [command, button] of buttons) button.hidden = !isOffered(command);
  });
  letClose(root, fold);
  part("note-close").textContent = texts.close;
  const showNote = (sentence: string) => {
    part("note").hidden = sentence === "";
    part("note-text").textContent = sentence;
  };
  part("note-close").addEventListener("click", () => showNote(""));
  return {
    showName(name) {
      part("workbook-name").textContent = name;
      fold.title = texts.workbookMenu(name);
      root.title = `${name} – ${texts.title}`;
    },
    showState(state) {
      part("save-state").textContent = toSentence(state, texts, formatTime);
      part("save-state").classList.toggle("failed", state.kind === "failed");
    },
    showNote,
  };
}

function toSentence(state: SaveState, texts: Texts, formatTime: (ms: number) => string): string {
  if (state.kind === "failed") return texts.notSaved[state.reason];
  if (state.kind === "saved") return texts.savedAt(formatTime(state.atMs));
  return state.kind === "saving" ? texts.saving : "";
}
