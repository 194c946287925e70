import { pickCountry } from "./countries";
import { createRegistrationNumber, pickIndexOfId, pickIndexOfRegistration } from "./identifiers";
import { createCompanyNames } from "./names";

/** The fields companies can be sorted by. */
const SORT_KEYS: Record<string, (seed: number, index: number) => string> = {
  companyName: (seed, index) => createCompanyNames(seed, index).shown,
  registrationNumber: createRegistrationNumber,
};

/** The orders that can be asked for: each field, with a minus in front for descending. */
export const SORT_ORDERS: readonly string[] = Object.keys(SORT_KEYS).flatMap((field) => [field, `-${field}`]);

/** Finds private companies by country, id and registration number. */
export interface CompanyIndex {
  /** Indexes in the order given, or in that of the data. */
  pickIndexes(countries: ReadonlySet<string> | "ALL", order: string | undefined): readonly number[];
  /** The index behind a company id in any case. */
  pickById(id: string): number | undefined;
  pickByRegistration(registrationNumber: string): number | undefined;
}

/** Creates the lists of private companies: one that was asked for is kept, and none is made before. */
export function createCompanyIndex(seed: number, companies: number): CompanyIndex {
  const kept = new Map<string, readonly number[]>();
  const keep = (key: string, create: () => readonly number[]) => {
    const list = kept.get(key) ?? create();
    kept.set(key, list);
    return list;
  };
  const all = () => keep("all", () => Array.from({ length: companies }, (_, index) => index));
  const pickOrdered = (order: string | undefined) =>
    order === undefined ? all() : keep(order, () => sortIndexes(seed, all(), order));
  const within = (index: number | undefined) => (index !== undefined && index < companies ? index : undefined);
  return {
    pickIndexes(countries, order) {
      if (countries === "ALL") return pickOrdered(order);
      const key = JSON.stringify([order, ...countries]);
      return keep(key, () => pickOrdered(order).filter((index) => countries.has(pickCountry(index).code)));
    },
    pickById: (id) => within(pickIndexOfId(seed, "private", id)),
    pickByRegistration: (registrationNumber) => within(pickIndexOfRegistration(seed, registrationNumber)),
  };
}

/** Sorts by code units, so that the order is the same on every machine; equal names stay in the order of the data. */
function sortIndexes(seed: number, indexes: readonly number[], order: string): readonly number[] {
  const readKey = SORT_KEYS[order.replace("-", "")]!;
  const keys = indexes.map((index) => readKey(seed, index));
  const sign = order.startsWith("-") ? -1 : 1;
  return [...indexes].sort((left, right) => {
    if (keys[left]! === keys[right]!) return left - right;
    return keys[left]! < keys[right]! ? -sign : sign;
  });
}
