/** What figures are shown in. */
export interface Unit {
  /** The number's divisor. */
  divisor: number;
  /** The ISO 4217 code of the currency that the figures must be in; null where the unit names none. */
  currency: string | null;
}

/** The currencies of Asia, and others that its companies report in. */
export const CURRENCIES =
  "JPY USD EUR GBP CNY KRW TWD HKD SGD THB IDR MYR PHP VND INR BDT PKR LKR MMK KHR LAK MOP MNT NPR BND BTN MVR KZT KGS UZS AUD NZD CHF CAD".split(
    " ",
  );

/** The number format of figures by their unit's divisor: small ones of a large unit have decimals, or they would show as 0 or -0. */
export function toDivisorFormat(divisor: number): string {
  if (divisor >= 1e9) return "#,##0.00";
  return divisor >= 1e6 ? "#,##0.0" : "#,##0";
}

const SIZES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, bn: 1e9 };

/** A size and a currency, either of which may be missing, in either order: "m", "JPY m", "1e8 JPY", "JPYbn", "USD". */
const TEXT = /^(?:([A-Z]{3}|[a-z]{3}(?=\s|$))\s*)?(k|m|bn|[\d.]+(?:e[-+]?\d+)?)?(?:\s*([A-Z]{3}|[a-z]{3}))?$/i;

/** "1.000" is a thousand in Germany and one elsewhere. */
const THOUSAND = /^[1-9]\d{0,2}\.\d{3}$/;

/** Reads a unit that is written as text; null where it is none. */
export function readUnitText(text: string): Unit | null {
  const [found, before, size, behind] = TEXT.exec(text.trim()) ?? [];
  const currency = (before ?? behind)?.toUpperCase() ?? null;
  if (
    !found ||
    THOUSAND.test(size ?? "") ||
    (before && behind) ||
    (currency !== null && !CURRENCIES.includes(currency))
  )
    return null;
  return { divisor: size === undefined ? 1 : (SIZES[size.toLowerCase()] ?? Number(size)), currency };
}
