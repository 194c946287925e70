import { ASIAN_COUNTRIES } from "../contract/constants";
import type { Proposal } from "./Choice";
import type { Texts } from "./texts";

/** Lists the countries of Asia by code, with their names in a language, and "ALL". */
export function listCountries(language: string, texts: Texts): Proposal[] {
  const names = new Intl.DisplayNames(language, { type: "region", style: "short" });
  const countries = Object.entries(ASIAN_COUNTRIES).map(([value, region]) => ({ value, name: names.of(region) ?? "" }));
  return [...countries, { value: "ALL", name: texts.allCountries }];
}

/** Lists the time zones of the engine, and UTC, which engines leave out. */
export function listTimeZones(): Proposal[] {
  const zones = "supportedValuesOf" in Intl ? Intl.supportedValuesOf("timeZone") : [];
  return [...new Set(["UTC", ...zones])].map((value) => ({ value }));
}
