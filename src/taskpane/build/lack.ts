import type { FormulaCall } from "../formula-text";
import type { Texts } from "../texts";
import type { FormulaInfo } from "./catalogue";
import { isSound } from "./written";

/** What keeps a formula from standing in a cell, in words; null when nothing does. */
export function toLack({ parameters }: FormulaInfo, { given }: FormulaCall, texts: Texts["ofBuild"]): string | null {
  const missing = parameters.filter(({ isRequired }, index) => isRequired && given[index] === null);
  const labels = missing.map(({ name }) => texts.labels[name] ?? name);
  if (labels.length > 0) return texts.missing(labels.join(texts.between));
  return given.every(isSound) ? null : texts.mend;
}
