const en = {
  financials: "Financials",
  rankings: "Rankings",
  companies: "Company records",
  taxonomies: "Industries",
  credentials: "Tokens",
};

const ja: typeof en = {
  financials: "財務情報",
  rankings: "ランキング",
  companies: "企業情報",
  taxonomies: "産業分類",
  credentials: "トークン",
};

/** The names of the families of data, and of the tokens that all need. */
export const familiesTexts = { en, ja };
