/** Numbers that look random and are the same in each run. */
export interface Chance {
  integer(from: number, to: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** @param seed any whole number (mulberry32) */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    chance: (share) => next() < share,
    pick: <Item>(items: readonly Item[]) => items[integer(0, items.length - 1)] as Item,
  };
}
