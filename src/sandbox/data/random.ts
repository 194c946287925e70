// Taken once: in a test's own context each use of a global is a slow look-up, and these run millions of times.
const { imul, floor } = Math;

/** Spreads integers over 32 bits, so that any value can be derived from the seed and its own place alone. */
export function hash(...words: number[]): number {
  let state = 0x9e3779b9;
  for (const word of words) {
    state = imul(state ^ (word | 0), 0x85ebca6b);
    state = imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  state = imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = imul(state ^ (state >>> 12), 0x297a2d39);
  return (state ^ (state >>> 15)) >>> 0;
}

/** A short sequence of repeatable draws. */
export interface Draw {
  /** A number from 0 up to, not including, 1. */
  unit(): number;
  /** A number from `low` up to, not including, `high`. */
  between(low: number, high: number): number;
  /** An integer from `low` to `high`, both possible. */
  integer(low: number, high: number): number;
  /** True in this share of draws, 0 to 1. */
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** About normal: mean 0, deviation 1, within ±3.5. */
  bell(): number;
}

/**
 * Creates the draws of one place in the data.
 * @param words seed, purpose and index: the same words give the same draws, whatever else exists
 */
export function createDraw(...words: number[]): Draw {
  let state = hash(...words);
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    unit,
    between: (low, high) => low + (high - low) * unit(),
    integer: (low, high) => low + floor(unit() * (high - low + 1)),
    chance: (share) => unit() < share,
    pick: (items) => items[floor(unit() * items.length)]!,
    bell: () => (unit() + unit() + unit() + unit() - 2) * Math.sqrt(3),
  };
}

/** The purposes of draws: one number each, so that a new use never shifts the values of an old one. */
export const PURPOSE = {
  id: 1,
  registration: 2,
  name: 3,
  profile: 4,
  people: 5,
  financials: 6,
  classification: 7,
  listing: 8,
  views: 9,
  engagement: 10,
  restatement: 11,
} as const;
