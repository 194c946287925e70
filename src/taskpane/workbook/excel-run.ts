import type { Place, WorkbookError, WorkbookFault } from "../../contract/workbook";

/** Where the work is, as far as it is known; it is told with the fault. */
export interface Where {
  place?: Place;
}

/** For what must be done though somebody writes into a cell by then. */
export const WAITING: Excel.RunOptions = { delayForCellEdit: true };

/** Excel's codes whose cause a person can do something about. */
const FAULTS: Readonly<Record<string, WorkbookFault>> = {
  AccessDenied: "protected",
  InvalidOperationInCellEditMode: "editing",
  InvalidReference: "missing",
  InvalidSelection: "missing",
  ItemNotFound: "missing",
  MemoryLimitReached: "tooLarge",
  OperationCellsExceedLimit: "tooLarge",
  RangeExceedsLimit: "tooLarge",
  RequestPayloadSizeLimitExceeded: "tooLarge",
  ResponsePayloadSizeLimitExceeded: "tooLarge",
};

/**
 * Does work in the workbook by Excel.run.
 *
 * @param faults what further codes mean in this work
 * @param options whether it may wait for a cell's edit; default it is refused at once
 * @throws WorkbookError where Excel refuses, with Excel's words and the place that the work had come to
 */
export async function inExcel<T>(
  work: (context: Excel.RequestContext, where: Where) => Promise<T>,
  faults: Readonly<Record<string, WorkbookFault>> = {},
  options: Excel.RunOptions = {},
): Promise<T> {
  const where: Where = {};
  try {
    return await Excel.run(options, (context) => work(context, where));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (!(error instanceof Error) || typeof code !== "string") throw error;
    throw createFault(faults[code] ?? FAULTS[code] ?? "refused", error.message, where.place);
  }
}

/** @throws WorkbookError ("missing") where other cells are found than those that were asked about, if any were */
export function checkUnchanged(found: readonly Place[], expected: readonly Place[] | undefined): void {
  const toKey = ({ sheet, address }: Place) => `${sheet}!${address}`;
  const isSame = expected === undefined || expected.map(toKey).join() === found.map(toKey).join();
  if (!isSame) throw createFault("missing", "other cells are there than were asked about");
}

/** An error as a workbook rejects with it. */
export function createFault(fault: WorkbookFault, message: string, place?: Place): WorkbookError {
  return Object.assign(new Error(message), { fault, ...(place !== undefined && { place }) });
}
