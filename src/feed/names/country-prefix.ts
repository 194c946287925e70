import { ASIAN_COUNTRIES } from "../../contract/asian-countries";
import { readMarket } from "./markets";

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
