/** The pane's commands, in their groups. */
export const COMMAND_GROUPS = {
  refresh: ["refreshAll", "refreshSelection", "refreshSheet", "refreshStale", "refreshErrors", "cancelRefresh"],
  freeze: [
    "freezeSelection",
    "thawSelection",
    "freezeSheet",
    "thawSheet",
    "freezeWorkbook",
    "thawWorkbook",
    "copyValues",
  ],
  help: ["aboutCell", "checkModel", "repair", "help"],
} as const;

export type CommandId = (typeof COMMAND_GROUPS)[keyof typeof COMMAND_GROUPS][number];

/** All commands; the manifest names some of them for the ribbon and the cell menu. */
export const COMMANDS: readonly CommandId[] = Object.values(COMMAND_GROUPS).flat();
