import { letClose } from "./folds";
import { createHelpEntry, type HelpEntry } from "./help";
import type { Texts } from "./texts";
import type { CellView } from "./workbook";

/** The line of state above the grid. */
interface Strip {
  /** Shows what the companion says of the provider; whether that one answers, cells tell. */
  showProvider(sentence: string): void;
  /** Shows what went wrong with the page itself; it stays. */
  showTrouble(sentence: string): void;
  showSampleBadge(isShown: boolean): void;
  showFormulas(entries: readonly HelpEntry[]): void;
  /** Shows the sentence of the selected cell's error, or nothing. */
  showCell(cell: CellView): void;
}

/** Brings the strip's markup to life. All texts are set as text, never as markup. */
export function createStrip(root: Document, texts: Texts): Strip {
  const part = (id: string) => root.getElementById(id) as HTMLElement;
  part("provider").textContent = texts.asking;
  part("formulas-label").textContent = texts.formulas;
  part("sample").textContent = texts.sampleBadge;
  part("sample").title = texts.sampleHint;
  part("formulas-list").textContent = texts.noFormulas;
  letClose(root, part("formulas") as HTMLDetailsElement);

  return {
    showProvider(sentence) {
      part("provider").textContent = sentence;
    },
    showTrouble(sentence) {
      const line = root.createElement("p");
      line.textContent = sentence;
      part("trouble").append(line);
    },
    showSampleBadge(isShown) {
      part("sample").hidden = !isShown;
    },
    showFormulas(entries) {
      part("formulas-list").replaceChildren(...entries.map((entry) => createHelpEntry(root, entry, texts)));
    },
    showCell({ error }) {
      part("cell-error").hidden = !error?.message;
      part("cell-error").title = error ? `${error.code} ${error.message}` : "";
      part("cell-error-code").textContent = error?.code ?? "";
      part("cell-error-text").textContent = error?.message ?? "";
    },
  };
}
