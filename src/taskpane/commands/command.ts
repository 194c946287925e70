/** What the ribbon, the cell's menu and the pane's own buttons can have done; the manifest calls them by these names. */
export const COMMANDS = [
  "refreshAll",
  "refreshSelection",
  "freezeSelection",
  "freezeSheet",
  "freezeWorkbook",
  "thawSelection",
  "thawSheet",
  "thawWorkbook",
  "repairNames",
  "help",
] as const;

export type CommandId = (typeof COMMANDS)[number];
