import { letClose } from "../page";
import type { Texts } from "../texts";
import type { StoredWorkbook } from "./store";

/** What has become of the open workbook's changes. */
export type SaveState =
  | { kind: "unchanged" }
  | { kind: "saving" }
  | { kind: "saved"; atMs: number }
  /** The browser's storage is full, refuses, or is missing. */
  | { kind: "failed"; reason: "full" | "refused" | "missing" };

type WorkbookCommand = keyof Texts["workbookCommands"];

/** What a person decides on workbooks that the page does not open. */
interface OthersListener {
  download(other: StoredWorkbook): void;
  remove(): void;
}

/** The open workbook's name, state and menu in the strip, and the sentences and questions about workbooks. */
export type WorkbookView = ReturnType<typeof createWorkbookView>;

/** Binds the markup. All texts are set as text, never as markup. */
export function createWorkbookView(
  root: Document,
  texts: Texts,
  language: string,
  commands: Partial<Record<WorkbookCommand, () => void>>,
) {
  const part = (id: string) => root.getElementById(id) as HTMLElement;
  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const fold = part("workbooks") as HTMLDetailsElement;
  for (const [command, text] of Object.entries(texts.workbookCommands)) {
    const run = commands[command as WorkbookCommand];
    if (!run) continue;
    const choose = () => {
      fold.open = false;
      fold.querySelector("summary")?.focus(); // where a dialog returns the focus to
      run();
    };
    part("workbooks-list").append(createButton(root, text, choose));
  }
  letClose(root, fold);
  /** Shows a sentence below the strip, until the next one or until it is closed; an empty one shows nothing. */
  const showNote = (sentence: string) => {
    part("note").hidden = sentence === "";
    part("note-text").textContent = sentence;
  };
  part("note-close").textContent = texts.close;
  part("note-close").addEventListener("click", () => showNote(""));
  return {
    showName(name: string) {
      part("workbook-name").textContent = name;
      fold.title = texts.workbookMenu(name);
      root.title = `${name} – ${texts.title}`;
    },
    showState(state: SaveState) {
      part("save-state").textContent = toSentence(state, texts, (ms) => clock.format(ms));
      part("save-state").classList.toggle("failed", state.kind === "failed");
    },
    showNote,
    /** Offers the workbooks that the page does not open; none hides the offer. */
    showOthers(others: readonly StoredWorkbook[], { download, remove }: OthersListener) {
      const buttons = others.map((other) => {
        const button = createButton(root, other.name, () => download(other));
        button.title = date.format(other.savedAtMs);
        return button;
      });
      part("others").hidden = others.length === 0;
      part("others").replaceChildren(texts.others, ...buttons, createButton(root, texts.removeOthers, remove));
    },
    /** Asks in the middle of the page; Escape and Cancel answer undefined. */
    ask: <Answer extends string>(question: string, answers: Record<Answer, string>) =>
      ask(root, question, answers, texts.cancel),
  };
}

function toSentence(state: SaveState, texts: Texts, formatTime: (ms: number) => string): string {
  if (state.kind === "failed") return texts.notSaved[state.reason];
  if (state.kind === "saved") return texts.savedAt(formatTime(state.atMs));
  return state.kind === "saving" ? texts.saving : "";
}

const TITLE = "dialog-title";

function ask<Answer extends string>(
  root: Document,
  question: string,
  answers: Record<Answer, string>,
  cancel: string,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const dialog = Object.assign(root.createElement("dialog"), { className: "dialog" });
    dialog.setAttribute("aria-labelledby", TITLE);
    dialog.append(Object.assign(root.createElement("h2"), { id: TITLE, textContent: question }));
    const row = Object.assign(root.createElement("div"), { className: "dialog-buttons" });
    let answered: Answer | undefined;
    row.append(createButton(root, cancel, () => dialog.close()));
    for (const [answer, text] of Object.entries(answers) as [Answer, string][]) {
      const button = createButton(root, text, () => {
        answered = answer;
        dialog.close();
      });
      row.append(button);
    }
    dialog.append(row);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answered);
    });
    root.body.append(dialog);
    dialog.showModal();
  });
}

function createButton(root: Document, text: string, onClick: () => void): HTMLButtonElement {
  const button = Object.assign(root.createElement("button"), { type: "button" as const, textContent: text });
  button.addEventListener("click", onClick);
  return button;
}
