import type { CellContent } from "../../contract/workbook";
import type { Dismissal } from "../../session/settings";
import { attempt } from "../../taskpane/commands/desk";
import { FIRST_ROW, toListSheet } from "../../taskpane/list-sheet";
import { usePane } from "../../taskpane/pane";
import type { Texts } from "../../taskpane/texts";
import type { Finding } from "./finding";
import { toCheckTexts, toEvidenceLine, toSentence } from "./wording";

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
      const words = toCheckTexts(texts);
      const head = { ...words.sheet, note: summary, widths: WIDTHS };
      const sheet = await workbook.addSheet(toListSheet(head, findings.length));
      await workbook.write({ at: { sheet, address: `A${FIRST_ROW}` }, cells: rows });
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
