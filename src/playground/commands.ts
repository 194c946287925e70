/** The manifest's commands of Excel's ribbon and cell menu. */
export type CommandId = "refreshAll" | "refreshSelection" | "aboutCell" | "freezeSelection" | "repair" | "help";

/** The actions of the keyboard in the add-in's shortcuts.json. */
export type ShortcutId = "refreshAll" | "refreshSelection" | "aboutCell" | "togglePane";

/** Excel's argument of a command, which reports its completion. */
interface CommandEvent {
  source: { id: string };
  completed(): void;
}

/** The add-in's commands by their ids in the manifest. */
export interface Commands {
  /** As `Office.actions.associate`. */
  associate(id: string, command: (event: CommandEvent) => void): void;
  /** Calls a command, or an action of the keyboard; does nothing where the add-in has not associated it. */
  run(id: CommandId | ShortcutId): void;
}

export function createCommands(): Commands {
  const associated = new Map<string, (event: CommandEvent) => void>();
  return {
    associate: (id, command) => void associated.set(id, command),
    run: (id) => associated.get(id)?.({ source: { id }, completed: () => {} }),
  };
}
