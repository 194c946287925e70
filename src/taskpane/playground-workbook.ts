import { PLAYGROUND_WORKBOOK, type Workbook } from "../contract/workbook";

/** The workbook of the playground, if the pane is open in it. */
export const findPlaygroundWorkbook = (): Workbook | undefined =>
  (window as { [PLAYGROUND_WORKBOOK]?: Workbook })[PLAYGROUND_WORKBOOK];
