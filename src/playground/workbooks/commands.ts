/** The commands of the workbook's menu, in its order. */
export const WORKBOOK_COMMANDS = [
  "create",
  "createSample",
  "open",
  "upload",
  "rename",
  "duplicate",
  "download",
  "remove",
] as const;

export type WorkbookCommand = (typeof WORKBOOK_COMMANDS)[number];
