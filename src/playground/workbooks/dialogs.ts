import type { Texts } from "../texts";

/** Asks a person in the middle of the page. Escape and Cancel answer undefined, or false. */
export interface Dialogs {
  askText(question: TextQuestion): Promise<string | undefined>;
  confirm(sentence: string, button: string): Promise<boolean>;
  /** Lets choose an entry, by its id. */
  choose(title: string, entries: readonly Entry[], none: string): Promise<string | undefined>;
}

interface TextQuestion {
  title: string;
  button: string;
  value: string;
  /** In characters. */
  longest: number;
}

export interface Entry {
  id: string;
  name: string;
  remark: string;
  isCurrent: boolean;
}

/** A dialog that is shown, with its answer. */
interface Shown<T> {
  dialog: HTMLDialogElement;
  answer(value: T): void;
}

const TITLE = "dialog-title";

/** Creates the dialogs. All texts are set as text, never as markup. */
export function createDialogs(root: Document, texts: Texts): Dialogs {
  return {
    askText: (question) => show<string>(root, question.title, (shown) => fillText(shown, question, texts)),
    confirm: async (sentence, button) => {
      const answer = await show<true>(root, sentence, ({ dialog, answer }) =>
        dialog.append(createButtons(dialog, texts, button, () => answer(true))),
      );
      return answer ?? false;
    },
    choose: (title, entries, none) => show<string>(root, title, (shown) => fillList(shown, entries, none, texts)),
  };
}

/** Shows a dialog; resolves to its answer when it is closed. */
function show<T>(root: Document, title: string, fill: (shown: Shown<T>) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const dialog = Object.assign(root.createElement("dialog"), { className: "dialog" });
    dialog.append(Object.assign(root.createElement("h2"), { id: TITLE, textContent: title }));
    dialog.setAttribute("aria-labelledby", TITLE);
    let answered: T | undefined;
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answered);
    });
    const answer = (value: T) => {
      answered = value;
      dialog.close();
    };
    fill({ dialog, answer });
    root.body.append(dialog);
    dialog.showModal();
  });
}

function fillText({ dialog, answer }: Shown<string>, { button, value, longest }: TextQuestion, texts: Texts): void {
  const root = dialog.ownerDocument;
  const input = Object.assign(root.createElement("input"), { type: "text", value, maxLength: longest });
  input.setAttribute("aria-labelledby", TITLE);
  const go = () => {
    if (input.value.trim() !== "") answer(input.value.trim());
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault(); // what has the focus next would take the key for a click
    go();
  });
  dialog.append(input, createButtons(dialog, texts, button, go));
  queueMicrotask(() => input.select());
}

function fillList({ dialog, answer }: Shown<string>, entries: readonly Entry[], none: string, texts: Texts): void {
  const root = dialog.ownerDocument;
  const items = entries.map(({ id, name, remark, isCurrent }) => {
    const button = createButton(root, "", () => answer(id));
    button.append(
      Object.assign(root.createElement("span"), { textContent: name }),
      Object.assign(root.createElement("small"), { textContent: remark }),
    );
    if (isCurrent) button.setAttribute("aria-current", "true");
    const item = root.createElement("li");
    item.append(button);
    return item;
  });
  const list = Object.assign(root.createElement("ul"), { className: "dialog-list" });
  list.append(...items);
  const empty = Object.assign(root.createElement("p"), { textContent: none });
  dialog.append(items.length > 0 ? list : empty, createButtons(dialog, texts));
}

/** Cancel, and the button that goes on. */
function createButtons(dialog: HTMLDialogElement, texts: Texts, text?: string, onClick = () => {}): HTMLElement {
  const root = dialog.ownerDocument;
  const row = Object.assign(root.createElement("div"), { className: "dialog-buttons" });
  row.append(createButton(root, texts.cancel, () => dialog.close()));
  if (text !== undefined) row.append(Object.assign(createButton(root, text, onClick), { className: "primary" }));
  return row;
}

function createButton(root: Document, text: string, onClick: () => void): HTMLButtonElement {
  const button = Object.assign(root.createElement("button"), { type: "button" as const, textContent: text });
  button.addEventListener("click", onClick);
  return button;
}
