import { ASIAN_COUNTRIES } from "../../../contract/asian-countries";
import { foldWhole } from "../folding";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Short names that are no codes. */
const SHORT = { usa: "US", uk: "GB", prc: "CHN", uae: "ARE", korea: "KOR", "viet nam": "VNM" };

let opened: ReadonlyMap<string, string> | null = null;

/** Countries by their folded names in English and Japanese and by their codes: alpha-3 in Asia, alpha-2 elsewhere. */
function openCountries(): ReadonlyMap<string, string> {
  const countries = new Map<string, string>(Object.entries(SHORT));
  const asian = new Map<string, string>(Object.entries(ASIAN_COUNTRIES).map(([alpha3, alpha2]) => [alpha2, alpha3]));
  for (const language of ["en", "ja"]) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const alpha2 of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
      const name = names.of(alpha2);
      const code = asian.get(alpha2) ?? alpha2;
      if (name !== undefined) for (const spelling of [name, alpha2, code]) countries.set(foldWhole(spelling), code);
    }
  }
  return countries;
}

/** Gives the code of a country by its folded name or code; an empty text for anything else. */
export function toCountry(folded: string): string {
  opened ??= openCountries();
  return opened.get(folded) ?? "";
}
