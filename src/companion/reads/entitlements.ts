import { FAMILIES, type Family } from "../../contract/constants";

/** What one role lets people read. */
export interface Role {
  families: readonly Family[];
  /** ISO 3166-1 alpha-3 codes, or "ALL". */
  countries: readonly string[] | "ALL";
}

/** Roles by the names that tokens have for them. */
export type Roles = Readonly<Record<string, Role>>;

/** Somebody who signed in. */
export interface Person {
  /** Never another's, as the one who signs people in knows them: issuer and subject. */
  id: string;
  /** What people call them, for logs; default the id. */
  name?: string;
  roles: readonly string[];
}

/** What somebody may read. */
export interface Entitlements {
  /** The countries of each family that may be read, or "ALL" of them. */
  countries: ReadonlyMap<Family, ReadonlySet<string> | "ALL">;
  /** The same text for whoever has the same rights: what one was refused is kept from these alone. */
  className: string;
}

const EVERYTHING: Entitlements = { countries: new Map(FAMILIES.map((family) => [family, "ALL"])), className: "all" };

/**
 * Finds what somebody may read: all that the firm's client may, where no roles are configured.
 * @param person Absent for who was paired by a code of the terminal, and has every right.
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
