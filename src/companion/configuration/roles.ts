import { FAMILIES, type Family } from "../../contract/constants";
import type { Role, Roles } from "../reads/entitlements";
import { readTrustedFile } from "../trusted-file";

const COUNTRY = /^[A-Z]{3}$/;

/**
 * Reads what each role lets people read, such as {"Analyst Japan": {"families": ["financials"], "countries": ["JPN"]}}.
 * @throws Error with a sentence for the administrator.
 */
export function readRolesFile(path: string): Roles {
  const value = parse(readTrustedFile(path, "roles file"), path);
  const entries = Object.entries(value as object).map(([name, role]) => [name, readRole(name, role)] as const);
  if (entries.length === 0) throw new Error(`${path} names no role, so nobody could read anything.`);
  return Object.fromEntries(entries);
}

function parse(text: string, path: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The sentence below says it.
  }
  throw new Error(`${path} is no JSON object of role names.`);
}

function readRole(name: string, value: unknown): Role {
  const { families, countries } = Object(value) as { families?: unknown; countries?: unknown };
  const isFamily = (word: unknown): word is Family => (FAMILIES as readonly unknown[]).includes(word);
  const isCountry = (word: unknown): word is string => typeof word === "string" && COUNTRY.test(word) && word !== "ALL";
  if (!Array.isArray(families) || !families.every(isFamily)) {
    throw new Error(`The role "${name}" needs "families": a list of ${FAMILIES.join(", ")}.`);
  }
  if (countries !== "ALL" && !(Array.isArray(countries) && countries.every(isCountry))) {
    throw new Error(`The role "${name}" needs "countries": "ALL", or a list of codes such as "JPN".`);
  }
  return { families, countries };
}
