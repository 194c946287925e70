import type { CellValue } from "../../contract/workbook";
import { showPlace } from "../../taskpane/addresses";
import { toShownTime } from "../../taskpane/changes/shown-values";
import { toShownMetric } from "../../taskpane/metric-names";
import type { Texts } from "../../taskpane/texts";
import type { Evidence, Finding } from "./finding";
import type { Figure } from "./input";
import { type CheckTexts, checkTexts } from "./texts";

/** The texts of the check, which are not among the pane's: most people never open it. */
export const toCheckTexts = ({ language }: Texts): CheckTexts => checkTexts[language];

/** What is wrong, in a sentence. */
export function toSentence({ rule, place, evidence, values }: Finding, texts: Texts): string {
  const [first, second] = [evidence[0], evidence.at(-1)].map((each) => toShownPlace(each, place.sheet));
  const shown = Object.entries(values).map(([name, value]) => [name, toShown(value, texts)]);
  const facts = { at: place.address, first: first ?? "", second: second ?? "", values: Object.fromEntries(shown) };
  return toCheckTexts(texts).rules[rule].sentence(facts);
}

/** A cell with its sheet where that is another one than the finding's. */
const toShownPlace = (evidence: Evidence | undefined, sheet: string) => {
  if (evidence === undefined) return "";
  return evidence.place.sheet === sheet ? evidence.place.address : showPlace(evidence.place);
};

/** A value as a person reads it. */
export const toShown = (value: CellValue, { language }: Texts): string =>
  typeof value === "number" ? value.toLocaleString(language, { maximumSignificantDigits: 15 }) : String(value ?? "");

/** What stands behind a cell, in a line: company, figure, year and its end, amount, version, time; else what it holds. */
export function toEvidenceLine({ figure, content }: Evidence, texts: Texts, nowMs: number): string {
  const words = toCheckTexts(texts);
  if (figure !== null) return toFigureLine(figure, texts, nowMs);
  return content.startsWith("=") ? content : words.typed(toShown(toNumber(content), texts));
}

const toNumber = (content: string) =>
  content.trim() !== "" && Number.isFinite(Number(content)) ? Number(content) : content;

/** A company without a name that is known: a whole id would hide the rest. */
const UUID = /^([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function toFigureLine(figure: Figure, texts: Texts, nowMs: number): string {
  const { ofProvenance, language } = texts;
  const versions: Readonly<Record<string, string>> = ofProvenance.versions;
  const { company, metric, year, period, periodEnd, currency, amount, divisor, consolidation, asOfMs } = figure;
  return [
    company.replace(UUID, "$1…"),
    toShownMetric(metric, texts),
    ofProvenance.year(year, period, periodEnd),
    [
      currency,
      toShown(amount, texts),
      divisor === null || divisor === 1 ? null : `÷ ${divisor.toLocaleString(language)}`,
    ]
      .filter((part) => part !== null)
      .join(" "),
    consolidation === null ? null : (versions[consolidation] ?? consolidation),
    asOfMs === 0 ? null : ofProvenance.fetchedAt(toShownTime(asOfMs, nowMs, texts)),
  ]
    .filter((part) => part !== null && part !== "")
    .join(" · ");
}
