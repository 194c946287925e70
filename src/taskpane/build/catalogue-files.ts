/** What Build reads of the formulas in a language. It has to be there without a network, too, before Build was opened. */
export const listCatalogueFiles = (language: "en" | "ja"): readonly string[] =>
  language === "ja"
    ? ["functions-ja.json", "reference/ja/families.json"]
    : ["functions.json", "reference/families.json"];
