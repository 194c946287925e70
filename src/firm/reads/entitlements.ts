import type { Person } from "../../companion/api/pairing";
import { FAMILIES, type Family } from "../../contract/constants";

/** The entitlements of one role. */
export interface Role {
  families: readonly Family[];
  /** ISO 3166-1 alpha-3 codes, or "ALL". */
  countries: readonly string[] | "ALL";
}

/** Roles by their names in tokens. */
export type Roles = Readonly<Record<string, Role>>;

/** A reader's entitlements. */
export interface Entitlements {
  /** The readable countries of each family, or "ALL". */
  countries: ReadonlyMap<Family, ReadonlySet<string> | "ALL">;
  /** Equal for readers with equal rights, who share absences and refusals. */
  className: string;
}

const EVERYTHING: Entitlements = { countries: new Map(FAMILIES.map((family) => [family, "ALL"])), className: "all" };

/**
 * Gives a reader's entitlements: without configured roles, all that the firm's client may read.
 * @param person Absent for a pairing by a terminal code, which has every right.
 */
export function toEntitlements(person: Person | undefined, roles: Roles | undefined): Entitlements {
  if (person === undefined || roles === undefined) return EVERYTHING;
  const countries = new Map<Family, Set<string> | "ALL">();
  for (const name of person.roles) {
    const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
    for (const family of role?.families ?? []) countries.set(family, join(countries.get(family), role!.countries));
  }
  return { countries, className: toClassName(countries) };
}

function join(before: Set<string> | "ALL" | undefined, more: Role["countries"]): Set<string> | "ALL" {
  if (before === "ALL" || more === "ALL") return "ALL";
  return new Set([...(before ?? []), ...more]);
}

function toClassName(countries: Entitlements["countries"]): string {
  const toText = (set: ReadonlySet<string> | "ALL") => (set === "ALL" ? "ALL" : [...set].sort().join("+"));
  const texts = [...countries].map(([family, set]) => `${family}:${toText(set)}`);
  return texts.sort().join(" ") || "nothing";
}
