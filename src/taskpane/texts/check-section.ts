const en = {
  hint: "Looks through all formulas for mixed currencies, units and years, typed numbers, and totals that leave something out. It sends no request.",
  begin: "Check",
};

const ja: typeof en = {
  hint: "すべての数式について、通貨・単位・年度の混在、手入力の数値、合計の漏れなどを調べます。データは取得しません。",
  begin: "検査",
};

/** The texts of the check before its script is loaded; they are of the script of changes. */
export const checkSectionTexts = { en, ja };
