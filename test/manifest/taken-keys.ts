import taken from "./taken-keys.json";

// Keys that a shortcut of this add-in may not take, in our own words. Each list names its page, as read in November 2026.

const MODIFIERS: Readonly<Record<string, string>> = { option: "alt", command: "cmd", control: "ctrl" };

/** Keys as a set of modifiers and one key, in one spelling: "alt+ctrl+shift+m". Command on a Mac stands for itself. */
function toCombination(keys: string): string {
  const parts = keys.toLowerCase().split("+");
  const modifiers = parts.slice(0, -1).map((modifier) => MODIFIERS[modifier] ?? modifier);
  return [...modifiers.sort(), parts.at(-1)].join("+");
}

/**
 * Letters that Ctrl+Alt+Shift, which Windows takes for AltGr+Shift, types on the US international, Polish and Latvian
 * keyboards.
 */
const TYPED = "acdegiklnopqrstuwxyz";

/** Lists why keys cannot be a shortcut; empty where they can. */
export function listReasons(keys: string): string[] {
  const combination = toCombination(keys);
  const key = combination.split("+").at(-1) ?? "";
  const takers = Object.entries(taken).filter(([, list]) => list.keys.map(toCombination).includes(combination));
  return [
    ...takers.map(([taker]) => `${keys} is a key of ${taker}`),
    // Microsoft's advice is this pattern, and Command in the place of Ctrl on a Mac, where VoiceOver has Control and Option.
    ...(/^alt\+(ctrl|cmd)\+shift\+[a-z]$/.test(combination) ? [] : [`${keys} lacks Ctrl, Alt and Shift with a letter`]),
    ...(combination.includes("ctrl") && TYPED.includes(key) ? [`${keys} types a letter on some keyboards`] : []),
  ];
}
