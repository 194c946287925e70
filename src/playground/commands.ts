/** The commands that the manifest gives to Excel's ribbon and to the menu of its cells. */
export type CommandId = "refreshAll" | "refreshSelection" | "aboutCell" | "freezeSelection" | "repairNames" | "help";

/** What Excel hands to a command of the ribbon, which tells by it that it is done. */
interface CommandEvent {
  source: { id: string };
  completed(): void;
}

/** The commands that the add-in lets its host call, by the ids that the manifest gives them. */
export interface Commands {
  /** As `Office.actions.associate`. */
  associate(id: string, command: (event: CommandEvent) => void): void;
  /** Calls a command; does nothing where the add-in has not associated it. */
  run(id: CommandId): void;
}

export function createCommands(): Commands {
  const associated = new Map<string, (event: CommandEvent) => void>();
  return {
    associate: (id, command) => void associated.set(id, command),
    run: (id) => associated.get(id)?.({ source: { id }, completed: () => {} }),
  };
}
