import type { CellContent, SheetPlan } from "../../contract/workbook";
import type { Dismissal } from "../../session/settings";
import { toLetters } from "../../taskpane/addresses";
import { attempt } from "../../taskpane/commands/desk";
import { usePane } from "../../taskpane/pane";
import type { Texts } from "../../taskpane/texts";
import type { Finding } from "./finding";
import { toCheckTexts, toEvidenceLine, toSentence } from "./wording";

const HEADING_ROW = 4;
const WIDTHS = [10, 26, 16, 9, 7, 60, 60, 60, 30];

/** Returns a function that lists findings on a new sheet. */
export function useInsertReport(): (
  findings: readonly Finding[],
  dismissals: readonly Dismissal[],
  summary: string,
) => void {
  const pane = usePane();
  return (findings, dismissals, summary) =>
    void attempt(pane, async ({ session, workbook, notify, texts }) => {
      const reasons = new Map(dismissals.map(({ key, reason }) => [key, reason]));
      const nowMs = session.ports.nowMs();
      const rows = findings.map((finding) => toRow(finding, reasons, texts, nowMs));
      const sheet = await workbook.addSheet(toPlan(findings.length, summary, texts));
      await workbook.write({ at: { sheet, address: `A${HEADING_ROW + 1}` }, cells: rows });
      notify({ intent: "success", text: toCheckTexts(texts).inserted(sheet) });
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

function toPlan(count: number, summary: string, texts: Texts): SheetPlan {
  const { sheet } = toCheckTexts(texts);
  const last = toLetters(sheet.headings.length - 1);
  return {
    name: sheet.name,
    cells: [
      { at: "A1", content: sheet.title },
      { at: "A2", content: summary },
      ...sheet.headings.map((content, index) => ({ at: `${toLetters(index)}${HEADING_ROW}`, content })),
    ],
    styles: [
      { range: "A1", style: "title" },
      { range: "A2", style: "note" },
      { range: `A${HEADING_ROW}:${last}${HEADING_ROW}`, style: "heading" },
    ],
    formats: [],
    widths: Object.fromEntries(WIDTHS.map((width, index) => [toLetters(index), width])),
    grouped: [],
    rules: [],
    frozenRows: HEADING_ROW,
    printed: `A1:${last}${HEADING_ROW + count}`,
    selected: `A${HEADING_ROW + 1}`,
  };
}
