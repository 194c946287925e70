import type { Place, WorkbookError, WorkbookFault } from "../contract/workbook";

/** Makes what the pane's workbook rejects with. */
export function createFault(fault: WorkbookFault, message: string, place?: Place): WorkbookError {
  return Object.assign(new Error(message), { fault, ...(place && { place }) });
}
