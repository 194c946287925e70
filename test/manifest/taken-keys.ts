// Keys that a shortcut of this add-in may not take, in our own words. Each list names its page, as read in November 2026.

/** Keys as a set of modifiers and one key, in one spelling: "alt+ctrl+shift+m". Command on a Mac stands for itself. */
export function toCombination(keys: string): string {
  const parts = keys.toLowerCase().split("+");
  const [key = ""] = parts.slice(-1);
  return [
    ...parts
      .slice(0, -1)
      .map((modifier) => MODIFIERS[modifier] ?? modifier)
      .sort(),
    key,
  ].join("+");
}

const MODIFIERS: Readonly<Record<string, string>> = { option: "alt", command: "cmd", control: "ctrl" };

/** Combinations with two modifiers or more that are taken, by who takes them. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  // "Keyboard shortcuts in Excel", Microsoft Support: Windows.
  excel: [
    ...["Ctrl+Alt+V", "Ctrl+Alt+L", "Ctrl+Alt+F5", "Ctrl+Alt+F9", "Ctrl+Alt+Shift+F9", "Ctrl+Alt+5", "Ctrl+Alt+F2"],
    ...["Ctrl+Alt+=", "Ctrl+Alt+-", "Ctrl+Alt+Left", "Ctrl+Alt+Right", "Alt+Shift+F10", "Ctrl+Alt+P", "Ctrl+Alt+K"],
    ...["A", "F", "G", "L", "O", "P", "U", "V", "F2", "F3", "F6", "F12", "Tab"].map((key) => `Ctrl+Shift+${key}`),
  ],
  // The same page: Mac, and the menus of macOS.
  mac: [
    ...["V", "R", "C", "H", "M", "D", "T", "P", "B", "F", "L"].map((key) => `Command+Option+${key}`),
    ...["3", "4", "5", "F", "G", "K", "N", "P", "Q", "S", "T", "V", "Z"].map((key) => `Command+Shift+${key}`),
    ...["Q", "S", "V", "Escape"].map((key) => `Command+Option+Shift+${key}`),
  ],
  // "Add custom keyboard shortcuts to your Office Add-ins": keys of browsers that no page can take.
  browser: [
    ...["X", "C", "V", "N", "T", "W", "PgUp", "PgDn"].map((key) => `Ctrl+${key}`),
    ...["N", "T", "W", "S", "X"].map((key) => `Ctrl+Shift+${key}`),
    ...["N", "S"].map((key) => `Alt+Shift+${key}`),
  ],
  // Keyboard shortcuts of Firefox (Browser Toolbox) and of the GNOME desktop (recording of the screen).
  page: ["Ctrl+Alt+Shift+I", "Command+Alt+Shift+I", "Ctrl+Alt+Shift+R"],
  // The same page of Microsoft's: the pane's own accessibility.
  office: ["Ctrl+Space", "Ctrl+Shift+F10"],
};

/**
 * Letters that Ctrl+Alt+Shift, which Windows takes for AltGr+Shift, types on the US international, Polish and Latvian
 * keyboards.
 */
const TYPED = "acdegiklnopqrstuwxyz";

/** Lists why keys cannot be a shortcut; empty where they can. */
export function listReasons(keys: string): string[] {
  const combination = toCombination(keys);
  const key = combination.split("+").at(-1) ?? "";
  const takers = Object.keys(TAKEN).filter((taker) =>
    TAKEN[taker]?.some((taken) => toCombination(taken) === combination),
  );
  return [
    ...takers.map((taker) => `${keys} is a key of ${taker}`),
    // Microsoft's advice is this pattern, and Command in the place of Ctrl on a Mac, where VoiceOver has Control and Option.
    ...(/^alt\+(ctrl|cmd)\+shift\+[a-z]$/.test(combination) ? [] : [`${keys} lacks Ctrl, Alt and Shift with a letter`]),
    ...(combination.includes("ctrl") && TYPED.includes(key) ? [`${keys} types a letter on some keyboards`] : []),
  ];
}
