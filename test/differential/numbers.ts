/**
 * Every number of the provider encodes its data set, entity, measure and edition, so that none can pass for another.
 * An edition is the state of a data set between two changes.
 */
export interface Meaning {
  set: number;
  entity: number;
  slot: number;
  edition: number;
}

const ENTITIES = 4_096;
const SLOTS = 4_096;
const EDITIONS = 1_024;

/** The last edition that a number can carry. */
export const LAST_EDITION = EDITIONS - 1;

export const toNumber = ({ set, entity, slot, edition }: Meaning): number =>
  ((set * ENTITIES + entity) * SLOTS + slot) * EDITIONS + edition;

/** Decodes a number; a negative one by its absolute value. */
export function readNumber(value: number): Meaning {
  let rest = Math.abs(value);
  const take = (size: number) => {
    const part = rest % size;
    rest = Math.floor(rest / size);
    return part;
  };
  const [edition, slot, entity] = [take(EDITIONS), take(SLOTS), take(ENTITIES)] as const;
  return { set: rest, entity, slot, edition };
}
