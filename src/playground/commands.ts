/** The manifest's commands of Excel's ribbon and cell menu. */
export type CommandId = "refreshAll" | "refreshSelection" | "aboutCell" | "freezeSelection" | "repair" | "help";

/** Excel's argument of a command, which reports its completion. */
interface CommandEvent {
  source: { id: string };
  completed(): void;
}

/** The add-in's commands by their ids in the manifest. */
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
