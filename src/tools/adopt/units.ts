import { CURRENCIES } from "../../feed/financials/unit";

/** The units that figures are typed in, as divisors. */
export const UNITS = [1, 1e3, 1e6, 1e8, 1e9] as const;
export type Unit = (typeof UNITS)[number];

const WORDS: readonly (readonly [Unit, string])[] = [
  [1e9, "十億|bn|bln|billions?|b"],
  [1e8, "億"],
  [1e6, "百万|mn|mln|mm|millions?|m"],
  [1e3, "千|k|thousands?|'?000s?"],
  [1, "units?|whole|一"],
];
const CODES = ["RMB", ...CURRENCIES].join("|");
const CURRENCY = `(?:${CODES}|(?:us|hk|nt|s)?\\$|[¥€£₩₹฿]|円|ドル|ウォン|元)`;
const CODE = new RegExp(`^(?:${CODES})$`, "i");

/** Whether a label is a currency's code. */
export const isCurrencyCode = (label: string): boolean => CODE.test(label.trim());

const toPattern = (words: string) =>
  new RegExp(`^(?:単位[::]?|unit[s:]*|in)?\\s*${CURRENCY}?\\s*(?:${words})\\s*(?:of\\s*)?${CURRENCY}?$`, "i");
const PATTERNS = WORDS.map(([unit, words]) => [unit, toPattern(words)] as const);
/** A currency alone means units of one. */
const MONEY = /^(?:単位[::]?|in)?\s*(?:円|yen|jpy|usd|us\$|dollars?)$/i;
const BRACKETS = /[([【〔]([^)\]】〕]*)[)\]】〕]/g;

/** The unit that a label or a title names, alone or in brackets: "¥m", "(百万円)", "in thousands"; null for none. */
export function readUnitLabel(label: string): Unit | null {
  const text = label.normalize("NFKC").trim();
  const inBrackets = [...text.matchAll(BRACKETS)].map(([, inner = ""]) => inner);
  const parts = [
    text,
    ...inBrackets,
    ...inBrackets.flatMap((inner) => inner.split(/[,;、/]/)),
    ...text.split(/[,;、]/),
  ];
  for (const part of parts.map((each) => each.trim())) {
    const found = PATTERNS.find(([, pattern]) => pattern.test(part));
    if (found !== undefined) return found[0];
    if (MONEY.test(part)) return 1;
  }
  return /\bin (?:\w+ )?millions\b/i.test(text) ? 1e6 : null;
}

/** A unit as FEED.FINANCIAL takes it; null for figures as they are. */
export function toUnitArgument(unit: Unit): string | number | null {
  if (unit === 1e3) return "k";
  if (unit === 1e6) return "m";
  if (unit === 1e9) return "bn";
  return unit === 1 ? null : unit;
}
