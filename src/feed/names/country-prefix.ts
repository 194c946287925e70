import { ASIAN_COUNTRIES } from "../../contract/asian-countries";

/** What a person wrote for a company, and where it is looked up. */
export interface PrefixedName {
  text: string;
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  /** Whether no country or exchange stands before it. */
  isBare: boolean;
}

/**
 * Reads a country before a name, as in "JPN:さくら食品", or a market beside a ticker, as in "7203.T". Another word before a
 * colon belongs to the text: an exchange as the provider calls it.
 *
 * @param country where a text without a country is looked up
 */
export function readCountryPrefix(written: string, country: string): PrefixedName {
  const market = readMarket(written);
  if (market !== null) return { text: market.ticker, country: market.country, isBare: false };
  const [, prefix = "", rest = ""] = /^\s*([^:：]+)[:：]\s*(.+)$/.exec(written) ?? [];
  const code = prefix.normalize("NFKC").trim().toUpperCase();
  if (code === "ALL" || Object.hasOwn(ASIAN_COUNTRIES, code)) return { text: rest, country: code, isBare: false };
  return { text: written, country, isBare: prefix === "" };
}

/** Tags that quote services put beside a ticker, by country, and the form of its tickers, by which a tag is no other's. */
const MARKETS: Readonly<Record<string, readonly [tags: string, tickers: RegExp]>> = {
  JPN: ["T JP JT TYO TSE TKS JPX XTKS NGO NAG FKA SPR", /^\d[0-9A-Z]\d[0-9A-Z]$/],
  HKG: ["HK HKG HKEX SEHK XHKG", /^\d{1,5}$/],
  SGP: ["SI SP SGX SES XSES", /^[A-Z0-9]{2,4}$/],
  KOR: ["KS KQ KP KR KRX KOSPI KOSDAQ XKRX XKOS", /^\d{5}[0-9A-Z]$/],
  TWN: ["TW TWO TT TPE TPEX TWSE XTAI ROCO", /^\d{4,6}[A-Z]?$/],
  CHN: ["SS SZ SH CH CG CS SHA SHE SSE SZSE XSHG XSHE", /^\d{6}$/],
  THA: ["BK TB BKK SET XBKK", /^[A-Z][A-Z0-9]{0,7}$/],
  IDN: ["JK IJ JKT IDX XIDX", /^[A-Z]{4}$/],
  MYS: ["KL MK KLS KLSE MYX XKLS", /^\d{4}[A-Z]{0,2}$/],
  PHL: ["PS PM PSE XPHS", /^[A-Z]{1,6}$/],
  VNM: ["VN VM HOSE HNX UPCOM XSTC", /^[A-Z0-9]{3}$/],
  IND: ["NS BO IN NSE BSE BOM XNSE XBOM", /^(?:[A-Z&]{2,12}|\d{6})$/],
};

const COUNTRIES = new Map(
  Object.entries(MARKETS).flatMap(([country, [tags]]) => tags.split(" ").map((tag) => [tag, country] as const)),
);

/** "7203.T", "7203 JP", "7203-JP", "7203:JP", "BBCA IJ Equity"; a dash before one letter is a number's own. */
const BEHIND = /^([0-9A-Z]{1,12})(?:\s*([.:])\s*|\s*-\s*(?=[A-Z]{2})|\s+)([A-Z]{1,6})(\s+EQUITY)?$/;
/** "TYO:7203", alone or as Excel's Stocks show it: "Toyota Motor (XTKS:7203)". */
const BEFORE = /^(?:.+\()?([A-Z]{1,6})\s*:\s*([0-9A-Z]{1,12})\)?$/;

/** A ticker of a country's market. */
interface MarketTicker {
  ticker: string;
  /** ISO 3166-1 alpha-3 code. */
  country: string;
}

/** Reads a ticker with the tag of its market; null where a text has none. */
export function readMarket(text: string): MarketTicker | null {
  const plain = text.normalize("NFKC").trim();
  const capital = plain.toUpperCase();
  const [, code = "", sign, tag = "", equity] = BEHIND.exec(capital) ?? [];
  // Letters alone may be a name's: "Studio IN".
  const isTold = /\d/.test(code) || equity !== undefined || (sign === "." && plain === capital);
  const [, market = "", ticker = ""] = BEFORE.exec(capital) ?? [];
  return (isTold ? toTicker(code, tag) : null) ?? toTicker(ticker, market);
}

function toTicker(ticker: string, tag: string): MarketTicker | null {
  const country = COUNTRIES.get(tag);
  return country !== undefined && MARKETS[country]?.[1].test(ticker) ? { ticker, country } : null;
}
