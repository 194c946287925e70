import { JAPANESE_WORDS } from "../feed/financials/japanese";
import type { Texts } from "./texts";

/** A metric in the person's language; as the provider spells it where there is no word for it. */
export function toShownMetric(name: string, { language }: Texts): string {
  if (language === "en") return name;
  const words: [string, string][] = Object.entries(JAPANESE_WORDS.metric);
  return words.find(([, english]) => english.toLowerCase() === name.toLowerCase())?.[0] ?? name;
}
