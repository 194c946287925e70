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

/** Pairs are kept in parts of this length, so that none is ever copied as it grows. */
const PART_LENGTH = 1 << 16;

export function createPostingsBuilder(): PostingsBuilder {
  const parts: Uint32Array[] = [];
  let part = new Uint32Array(0);
  let at = 0;
  return {
    add(group, value) {
      if (at === part.length) {
        part = new Uint32Array(PART_LENGTH);
        parts.push(part);
        at = 0;
      }
      part[at++] = group;
      part[at++] = value;
    },
    *pack(groups) {
      const starts = new Uint32Array(groups + 1);
      const lengthOf = (each: Uint32Array) => (each === part ? at : each.length);
      let count = 0;
      for (const each of parts) {
        for (let pair = 0; pair < lengthOf(each); pair += 2) starts[(each[pair] as number) + 1]!++;
        count += lengthOf(each) / 2;
        yield;
      }
      for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group] as number;
      const values = new Uint32Array(count);
      const next = starts.slice();
      yield;
      for (const each of parts) {
        for (let pair = 0; pair < lengthOf(each); pair += 2) {
          values[next[each[pair] as number]!++] = each[pair + 1] as number;
        }
        yield;
      }
      parts.length = 0;
      return {
        of: (group) => values.subarray(starts[group], starts[group + 1]),
        count: (group) => (starts[group + 1] as number) - (starts[group] as number),
      };
    },
  };
}
