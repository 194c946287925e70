import type { Session } from "../../session/session";
import { readFormulaPlace } from "../addresses";
import { learn } from "../separators";
import { inExcel, WAITING } from "./excel-run";

/** Formulas come by thousands as a workbook opens. */
const READ_AFTER_MS = 2_000;
/** One with two arguments is among the first. */
const MOST_CELLS = 20;

/** Learns the separators of the person's Excel from cells with live formulas; a cell may hold another one by now. */
export function readLocalFormulas({ calls, ports }: Pick<Session, "calls" | "ports">): void {
  const read = async (context: Excel.RequestContext) => {
    const { application, worksheets } = context.workbook;
    application.load("decimalSeparator");
    const places = calls.list().flatMap(({ address }) => readFormulaPlace(address) ?? []);
    const cells = places
      .slice(0, MOST_CELLS)
      .map(({ sheet, address }) => worksheets.getItem(sheet).getRange(address).load("formulas, formulasLocal"));
    await context.sync();
    for (const { formulas, formulasLocal } of cells)
      learn(formulas[0]?.[0], formulasLocal[0]?.[0], application.decimalSeparator);
  };
  // A sheet may have another name by now; then a selected cell tells them.
  ports.after(READ_AFTER_MS, () => void inExcel(read, {}, WAITING).catch(() => {}));
}
