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

/** The add-in's keys by action, e.g. "Ctrl+Alt+Shift+M". */
export type Shortcuts = Partial<Record<ShortcutId, string>>;

/** The part of shortcuts.json that Excel reads the keys from. */
interface ShortcutsFile {
  shortcuts: { action: ShortcutId; key: { default: string } }[];
}

/** Loads the add-in's keys; none where the file is missing. */
export async function loadShortcuts(): Promise<Shortcuts> {
  const response = await fetch("/shortcuts.json").catch(() => undefined);
  if (!response?.ok) return {};
  const { shortcuts } = (await response.json()) as ShortcutsFile;
  return Object.fromEntries(shortcuts.map(({ action, key }) => [action, key.default]));
}

/** Runs actions by their keys while the focus is outside the pane, as Excel on the web does. */
export function bindShortcuts(root: Document, shortcuts: Shortcuts, run: (action: ShortcutId) => void): void {
  // Capturing, since the grid stops its keys.
  root.addEventListener(
    "keydown",
    (event) => {
      const pressed = toKeys(event);
      const [action] = Object.entries(shortcuts).find(([, keys]) => keys === pressed) ?? [];
      if (action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      run(action as ShortcutId);
    },
    { capture: true },
  );
}

/** The pressed keys as shortcuts.json writes them; letters by their place, since Alt and Shift change them. */
function toKeys({ ctrlKey, metaKey, altKey, shiftKey, code }: KeyboardEvent): string {
  const modifiers = [ctrlKey && "Ctrl", metaKey && "Command", altKey && "Alt", shiftKey && "Shift"];
  return [...modifiers.filter(Boolean), code.replace(/^Key/, "")].join("+");
}
