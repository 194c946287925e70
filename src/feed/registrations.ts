import { toCompanyKey } from "./company-ref";
import { NoValueError, RequestError } from "./errors";

/** What is known of registration numbers: fed by the answers that resolve one, and by lists of companies. */
export interface Registrations {
  /**
   * The company that is known to have a number; null where none is known, or several are.
   *
   * @param registrationNumber as written: leading zeros count, spaces around it and letter case do not
   */
  find(registrationNumber: string): string | null;
  /** The ids of all companies that are known to have a number. */
  list(registrationNumber: string): readonly string[];
  /** Takes note that a company has a number. */
  learn(registrationNumber: string, companyId: string): void;
  /** Takes note that an answer named several companies, which no list takes back. */
  learnSeveral(registrationNumber: string, companyIds: readonly string[]): void;
  /** Forgets all, as when the client changed. */
  forget(): void;
}

export function createRegistrations(): Registrations {
  /** By number, the ids as they were written: lists, since an index of names has hundreds of thousands of one. */
  const companies = new Map<string, string[]>();
  /** By number, the ids of an answer that named several: lists of one country cannot gainsay it. */
  const ambiguous = new Map<string, readonly string[]>();
  const list = (registrationNumber: string) => {
    const key = toNumberKey(registrationNumber);
    return ambiguous.get(key) ?? companies.get(key) ?? [];
  };
  return {
    list,
    find(registrationNumber) {
      const [id, ...others] = list(registrationNumber);
      return id === undefined || others.length > 0 ? null : id;
    },
    learn(registrationNumber, companyId) {
      const key = toNumberKey(registrationNumber);
      const known = companies.get(key) ?? [];
      if (known.some((id) => toCompanyKey(id) === toCompanyKey(companyId))) return;
      companies.set(key, [...known, companyId]);
    },
    learnSeveral: (registrationNumber, ids) => void ambiguous.set(toNumberKey(registrationNumber), ids),
    forget() {
      companies.clear();
      ambiguous.clear();
    },
  };
}

/** Whether an answer's registration number is the one that was asked for: "0107" is not "107". */
export function isRegistration(value: unknown, registrationNumber: string): boolean {
  if (typeof value !== "string" && !Number.isSafeInteger(value)) return false;
  return toNumberKey(String(value)) === toNumberKey(registrationNumber);
}

/** The failure of a number that several companies have; none of them is picked. */
export function toAmbiguous(registrationNumber: string, ids: readonly string[], count = ids.length): NoValueError {
  return new NoValueError(
    "FEED_AMBIGUOUS",
    `"${registrationNumber}" names ${count} companies; use one of the ids ${ids.slice(0, 5).join(", ")}`,
  );
}

/** The failure of a number that no company has. */
export function toUnregistered(registrationNumber: string): RequestError {
  return new RequestError(
    "FEED_NOT_FOUND",
    `no company has the id or registration number "${registrationNumber}"; check the number`,
  );
}

const toNumberKey = (registrationNumber: string): string => registrationNumber.trim().toLowerCase();
