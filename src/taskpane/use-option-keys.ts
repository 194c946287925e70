import { type KeyboardEvent, useState } from "react";

interface OptionKeysOptions {
  /** The number of options. */
  count: number;
  /** The option that is active until a key moves to another; null for none. */
  first: number | null;
  /** Whether the list shows; default true. */
  isOpen?: boolean;
  /** Takes an option, by its place. */
  take: (place: number) => void;
}

/** The active option of a list, and the keys that move to it and take it. */
export interface OptionKeys {
  active: number | null;
  /** Makes an option active; null for the first one again. */
  go: (place: number | null) => void;
  /** Handles a key of the element that has the focus; a key that it used is prevented. */
  press: (event: KeyboardEvent) => void;
}

/** Arrows move through a list, from its end to its beginning too, and Enter takes the active option. */
export function useOptionKeys({ count, first, isOpen = true, take }: OptionKeysOptions): OptionKeys {
  const [reached, go] = useState<number | null>(null);
  const active = !isOpen || count === 0 ? null : reached === null ? first : Math.min(reached, count - 1);
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || count === 0) return; // an input method handles the keys
    if (event.key === "ArrowDown") go(active === null ? 0 : (active + 1) % count);
    else if (event.key === "ArrowUp") go(((active ?? 0) + count - 1) % count);
    else if (event.key === "Escape" && reached !== null) go(null);
    else if (event.key === "Enter" && active !== null) take(active);
    else return;
    event.preventDefault();
  };
  return { active, go, press };
}
