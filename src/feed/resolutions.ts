import { createSubscribers } from "../client/subscribers";
import type { NameSource } from "./names/rows";

/** A name or ticker of a company, and where it is looked up. */
export interface NamedCompany {
  name: string;
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
}

/** The company that a name meant when it was first used. */
export interface Resolution extends NamedCompany {
  /** The family of data that alone of several namesakes it has; default where the name itself, or a person, tells. */
  family?: NameSource;
  /** Empty where the name means no company, by a person's decision. */
  companyId: string;
  /** The company's own name; empty without a company. */
  companyName: string;
}

/**
 * What the names in a workbook's formulas resolved to. The workbook stores them with the next decision in the pane, so
 * that a name means the same company after the index has changed.
 */
export interface Resolutions {
  /** @param family the family of data that is asked for; default none, where only the name itself, or a person, tells */
  find(company: NamedCompany, family?: NameSource): Resolution | null;
  record(resolution: Resolution): void;
  /** Removes what a name means, to any family. */
  forget(company: NamedCompany): void;
  list(): readonly Resolution[];
  /** Replaces all by those of the workbook; listeners are not notified. */
  adopt(resolutions: readonly Resolution[]): void;
  /** Calls `listener` when one is recorded or forgotten. */
  onChange(listener: () => void): () => void;
}

export function createResolutions(): Resolutions {
  const { subscribe: onChange, notify } = createSubscribers();
  let known = new Map<string, Resolution>();
  return {
    find: (company, family) => known.get(toKey(company)) ?? known.get(toKey(company, family)) ?? null,
    record(resolution) {
      known.set(toKey(resolution, resolution.family), resolution);
      notify();
    },
    forget(company) {
      const { size } = known;
      for (const [key, each] of known) if (toKey(each) === toKey(company)) known.delete(key);
      if (known.size < size) notify();
    },
    list: () => [...known.values()],
    adopt(resolutions) {
      known = new Map(resolutions.map((each) => [toKey(each, each.family), each]));
    },
    onChange,
  };
}

const toKey = ({ name, country }: NamedCompany, family = ""): string => `${family} ${country} ${name}`;
