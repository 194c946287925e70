import type { CellContent, CellValue } from "../../contract/workbook";
import type { Dismissal } from "../../session/settings";
import { showPlace } from "../../taskpane/addresses";
import { addListSheet } from "../../taskpane/list-sheet";
import { toShownMetric } from "../../taskpane/metric-names";
import { attempt, usePane } from "../../taskpane/pane";
import type { Texts } from "../../taskpane/texts";
import { toTime } from "../../taskpane/texts/quantities";
import type { Evidence, Figure, Finding } from "./finding";
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
const toShown = (value: CellValue, { language }: Texts): string =>
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
    asOfMs === 0 ? null : ofProvenance.fetchedAt(toTime(asOfMs, nowMs, texts.language)),
  ]
    .filter((part) => part !== null && part !== "")
    .join(" · ");
}

const WIDTHS = [10, 26, 16, 9, 7, 60, 60, 60, 30];

/** Returns a function that lists findings on a new sheet. */
export function useInsertReport() {
  const pane = usePane();
  return (findings: readonly Finding[], dismissals: readonly Dismissal[], summary: string) =>
    void attempt(pane, async ({ session, workbook, notify, texts }) => {
      const reasons = new Map(dismissals.map(({ key, reason }) => [key, reason]));
      const nowMs = session.ports.nowMs();
      const rows = findings.map((finding) => toRow(finding, reasons, texts, nowMs));
      const words = toCheckTexts(texts);
      const head = { ...words.sheet, note: summary, widths: WIDTHS };
      const sheet = await addListSheet(workbook, head, rows);
      notify({ intent: "success", text: words.inserted(sheet) });
    });
}

function toRow(finding: Finding, reasons: ReadonlyMap<string, string>, texts: Texts, nowMs: number): CellContent[] {
  const words = toCheckTexts(texts);
  const [first = "", second = ""] = finding.evidence.map((each) => toEvidenceLine(each, texts, nowMs));
  const reason = reasons.get(finding.key);
  return [
    words.gravities[finding.gravity],
    words.rules[finding.rule].title,
    finding.place.sheet,
    finding.place.address,
    finding.count,
    toSentence(finding, texts),
    first,
    second,
    reason === undefined ? "" : reason || words.noReason,
  ];
}
