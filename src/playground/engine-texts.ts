import { setTranslationMethod } from "@odoo/o-spreadsheet";

/** Why a table cannot spill, by the engine's own sentence. */
const SPILL_TEXTS: Readonly<Record<string, Readonly<Record<"en" | "ja", string>>>> = {
  "Result couldn't be automatically expanded.": {
    en: "The sheet ends before the table does. Move the formula up or to the left, or take fewer rows.",
    ja: "シートの端を超えるため、表を表示できません。数式を上または左に移動するか、行数を減らしてください。",
  },
  "Array result was not expanded because it would overwrite data.": {
    en: "Other cells are in the way of the table. Empty them, or move the formula.",
    ja: "ほかのセルに内容があるため、表を表示できません。それらを空にするか、数式を移動してください。",
  },
  "Merged cells found in the spill zone. Please unmerge cells before using array formulas.": {
    en: "Merged cells are in the way of the table. Unmerge them, or move the formula.",
    ja: "結合されたセルがあるため、表を表示できません。結合を解除するか、数式を移動してください。",
  },
};

/** Has the engine say in the page's language why a table cannot spill; its other texts stay as they are. */
export function translateEngine(language: "en" | "ja"): void {
  setTranslationMethod((...[text]) => SPILL_TEXTS[text]?.[language] ?? text);
}
