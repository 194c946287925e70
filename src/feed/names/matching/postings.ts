/** Lists of numbers, each of a group, packed into two arrays. */
export interface Postings {
  /** The numbers of a group. */
  of(group: number): Uint32Array;
  count(group: number): number;
}

/** Collects pairs of a group and a number, and packs them once all are known. */
export interface PostingsBuilder {
  add(group: number, value: number): void;
  /** Packs what was added, in steps that leave time for other work between them. */
  pack(groups: number): Generator<void, Postings>;
}

const FIRST_CAPACITY = 1 << 16;
const PAIRS_A_STEP = 200_000;

export function createPostingsBuilder(): PostingsBuilder {
  let pairs = new Uint32Array(FIRST_CAPACITY);
  let count = 0;
  return {
    add(group, value) {
      if (count + 2 > pairs.length) {
        const larger = new Uint32Array(pairs.length * 2);
        larger.set(pairs);
        pairs = larger;
      }
      pairs[count++] = group;
      pairs[count++] = value;
    },
    *pack(groups) {
      const starts = new Uint32Array(groups + 1);
      const values = new Uint32Array(count / 2);
      for (let at = 0; at < count; at += 2) {
        starts[(pairs[at] as number) + 1]!++;
        if (at % PAIRS_A_STEP === 0) yield;
      }
      for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group] as number;
      const next = starts.slice();
      for (let at = 0; at < count; at += 2) {
        values[next[pairs[at] as number]!++] = pairs[at + 1] as number;
        if (at % PAIRS_A_STEP === 0) yield;
      }
      pairs = new Uint32Array(0);
      return {
        of: (group) => values.subarray(starts[group], starts[group + 1]),
        count: (group) => (starts[group + 1] as number) - (starts[group] as number),
      };
    },
  };
}
