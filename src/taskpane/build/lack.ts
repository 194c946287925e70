import { type FormulaCall, toFormulaText } from "../formula-text";
import type { Texts } from "../texts";
import type { FormulaInfo } from "./catalogue";
import { isSound } from "./written";

/** Characters that a cell's formula may have. */
const LONGEST_FORMULA = 8_192;

/** What keeps a formula from standing in a cell, in words; null when nothing does. */
export function toLack({ parameters }: FormulaInfo, call: FormulaCall, texts: Texts["ofBuild"]): string | null {
  const { given } = call;
  const missing = parameters.filter(({ isRequired }, index) => isRequired && given[index] === null);
  const labels = missing.map(({ name }) => texts.labels[name] ?? name);
  if (labels.length > 0) return texts.missing(labels.join(texts.between));
  if (!given.every(isSound)) return texts.mend;
  return toFormulaText(call).length > LONGEST_FORMULA ? texts.tooLong : null;
}
