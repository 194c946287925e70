import { toCompanyKey } from "./split";

/** An answer that is larger is kept for nobody. */
const LARGEST_KEPT_BYTES = 4 * 1024 * 1024;
const OF_ONE = /\/companies\/([^/?]+)/;

/** What an answer is by its form: data, a list with nothing in it, or what is not surely either and serves nobody else. */
export type Form = "data" | "nothing" | "unsure";

/**
 * Tells an answer's form: that of a company has the id asked for, all else is a list or a page of one.
 * @param path Of the question, with its query.
 */
export function readForm(path: string, body: Buffer): Form {
  if (body.length > LARGEST_KEPT_BYTES) return "unsure";
  const value = readJson(body);
  const { data, error, id, companyId = id } = Object(value) as Record<string, unknown>;
  if ((error ?? null) !== null) return "unsure";
  const [, asked] = OF_ONE.exec(path) ?? [];
  if (asked !== undefined) {
    return typeof companyId === "string" && toCompanyKey(encodeURIComponent(companyId)) === toCompanyKey(asked)
      ? "data"
      : "unsure";
  }
  const rows = Array.isArray(value) ? value : data;
  if (!Array.isArray(rows)) return "unsure";
  return rows.length > 0 ? "data" : "nothing";
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
