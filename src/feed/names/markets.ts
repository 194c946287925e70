/** Tags that quote services put beside a ticker, by country: Reuters', Bloomberg's, Google's, Yahoo's and the exchanges' own. */
const TAGS: Readonly<Record<string, string>> = {
  JPN: "T JP JT TYO TSE TKS JPX XTKS NGO NAG FKA SPR",
  HKG: "HK HKEX SEHK XHKG",
  SGP: "SI SP SG SGX SES XSES",
  KOR: "KS KQ KP KR KRX KOSPI KOSDAQ XKRX",
  TWN: "TW TWO TT TPE TPEX TWSE",
  CHN: "SS SZ SH CH CN CG CS SHA SHE SSE SZSE",
  THA: "BK TB BKK SET",
  IDN: "JK IJ JKT IDX",
  MYS: "KL MK KLS KLSE MYX",
  PHL: "PS PM PSE",
  VNM: "VN VM HM HN HOSE HNX UPCOM",
  IND: "NS BO IN IS IB NSE BSE BOM",
};

const COUNTRIES = new Map(
  Object.entries(TAGS).flatMap(([country, tags]) => tags.split(" ").map((tag) => [tag, country] as const)),
);

/** "7203.T", "7203 JP", "7203-JP", "7203:JP", "BBCA IJ Equity". */
const BEHIND = /^([0-9a-z]{1,12})(?:\s*([.:-])\s*|\s+)([a-z]{1,6})(\s+equity)?$/i;
/** "TYO:7203", alone or as Excel's Stocks show it: "Toyota Motor (XTKS:7203)". */
const BEFORE = /^(?:.+\()?([a-z]{1,6})\s*:\s*([0-9a-z]{1,12})\)?$/i;

/** A ticker of a country's market. */
export interface MarketTicker {
  ticker: string;
  /** ISO 3166-1 alpha-3 code. */
  country: string;
}

/** Reads a ticker with the tag of its market; null where a text has none. */
export function readMarket(text: string): MarketTicker | null {
  const plain = text.normalize("NFKC").trim();
  const [, code = "", sign = "", tag = "", equity] = BEHIND.exec(plain) ?? [];
  const behind = COUNTRIES.get(tag.toUpperCase());
  // Letters alone may be a name's: "Studio IN".
  if (behind !== undefined && (/\d/.test(code) || equity || (sign === "." && /^[A-Z]+$/.test(code))))
    return { ticker: code, country: behind };
  const [, market = "", ticker = ""] = BEFORE.exec(plain) ?? [];
  const before = COUNTRIES.get(market.toUpperCase());
  return before === undefined ? null : { ticker, country: before };
}
