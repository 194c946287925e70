import type { Place, WorkbookError, WorkbookFault } from "../../contract/workbook";

/** The place of the current work, reported with a fault. */
export interface Where {
  place?: Place;
}

/** For work that must wait for a cell's edit. */
export const WAITING: Excel.RunOptions = { delayForCellEdit: true };

/** Excel's codes with a cause that a person can remedy. */
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
 * Runs work by Excel.run.
 *
 * @param faults faults of further codes in this work
 * @param options whether it waits for a cell's edit; default it rejects at once
 * @throws WorkbookError where Excel refuses, with Excel's message and the place of the work
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

/** An error as a workbook rejects with it. */
export function createFault(fault: WorkbookFault, message: string, place?: Place): WorkbookError {
  return Object.assign(new Error(message), { fault, ...(place !== undefined && { place }) });
}
