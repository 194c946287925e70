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
 * Reads a country before a name, as in "JPN:さくら食品". Another word before a colon, as in "TSE:7203", belongs to the text.
 *
 * @param country where a text without a country is looked up
 */
export function readCountryPrefix(written: string, country: string): PrefixedName {
  const [, prefix = "", rest = ""] = /^\s*([^:：]+)[:：]\s*(.+)$/.exec(written) ?? [];
  const code = prefix.normalize("NFKC").trim().toUpperCase();
  if (code === "ALL" || Object.hasOwn(ASIAN_COUNTRIES, code)) return { text: rest, country: code, isBare: false };
  return { text: written, country, isBare: prefix === "" };
}
