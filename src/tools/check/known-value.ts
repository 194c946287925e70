import type { CellValue } from "../../contract/workbook";
import { readValues, Unworkable } from "../../taskpane/build/argument-values";
import { toCellValue } from "../../taskpane/cells/call-index";
import { readFormula } from "../../taskpane/formula-text";
import type { PaneContext } from "../../taskpane/pane";

/** An answer that is there shows sooner. */
const LONGEST_MS = 2_000;

/**
 * Gives what a formula of the add-in would show in a cell of a sheet, an error as its code.
 *
 * @returns null where that takes a request, and for any other formula
 */
export async function findKnownValue(
  formula: string,
  sheet: string,
  { session, workbook }: Pick<PaneContext, "session" | "workbook">,
): Promise<CellValue> {
  const reading = readFormula(formula);
  if (reading.kind !== "call" || !session.formulas.has(reading.call.name)) return null;
  const { name } = reading.call;
  try {
    const given = await readValues(reading.call, workbook, sheet);
    const queries = await session.formulas.listQueries(name, given);
    if (session.feed.toCost(queries).now > 0) return null;
    return await new Promise<CellValue>((resolve) => {
      let end = () => {};
      const finish = (value: CellValue) => {
        resolve(value);
        callOff();
        queueMicrotask(() => end());
      };
      const callOff = session.ports.after(LONGEST_MS, () => finish(null));
      end = session.formulas.run(name, given, (shown) =>
        finish(toCellValue(Array.isArray(shown) ? shown[0]?.[0] : shown)),
      );
    });
  } catch (error) {
    if (error instanceof Unworkable) return null;
    throw error;
  }
}
