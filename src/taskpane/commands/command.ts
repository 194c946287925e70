/** What the pane's own buttons can have done, in the groups that they stand in. */
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
  help: ["aboutCell", "repairNames", "help"],
} as const;

export type CommandId = (typeof COMMAND_GROUPS)[keyof typeof COMMAND_GROUPS][number];

/** All of them; ribbon and cell menu have some, and the manifest calls them by these names. */
export const COMMANDS: readonly CommandId[] = Object.values(COMMAND_GROUPS).flat();
