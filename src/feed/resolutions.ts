import { createSubscribers } from "../client/subscribers";

/** A name or ticker of a company, and where it is looked up. */
export interface NamedCompany {
  name: string;
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
}

/** The company that a name meant when it was first used. */
export interface Resolution extends NamedCompany {
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
  find(company: NamedCompany): Resolution | null;
  record(resolution: Resolution): void;
  /** Removes what a name means. */
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
    find: (company) => known.get(toKey(company)) ?? null,
    record(resolution) {
      known.set(toKey(resolution), resolution);
      notify();
    },
    forget(company) {
      if (known.delete(toKey(company))) notify();
    },
    list: () => [...known.values()],
    adopt(resolutions) {
      known = new Map(resolutions.map((each) => [toKey(each), each]));
    },
    onChange,
  };
}

const toKey = ({ name, country }: NamedCompany): string => `${country} ${name}`;
