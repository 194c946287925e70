import { ASIAN_COUNTRIES } from "../../../contract/parameter-values";
import { foldWhole } from "../folding";

let opened: ReadonlyMap<string, string> | null = null;

/** Countries' alpha-3 codes by their folded names in English and Japanese and by their codes. */
function openCountries(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const names = ["en", "ja"].map((language) => new Intl.DisplayNames([language], { type: "region" }));
  for (const [alpha3, alpha2] of Object.entries(ASIAN_COUNTRIES)) {
    const spellings = [alpha3, alpha2, ...names.map((each) => each.of(alpha2) ?? alpha2)];
    for (const spelling of spellings) codes.set(foldWhole(spelling), alpha3);
  }
  return codes;
}

/** Gives the alpha-3 code of a country by its folded name or code; an empty text for anything else. */
export function toCountry(folded: string): string {
  opened ??= openCountries();
  return opened.get(folded) ?? "";
}
