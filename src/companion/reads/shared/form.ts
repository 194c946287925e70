import { toCompanyKey } from "../../../client/batch/planner";

/** An answer that is larger is kept for nobody. */
const LARGEST_KEPT_BYTES = 4 * 1024 * 1024;
const OF_ONE = /\/companies\/([^/?]+)/;

/** What an answer is by its form: data, a list with nothing in it, or what is not surely either and serves nobody else. */
type Form = "data" | "nothing" | "unsure";

/** What an answer holds. */
export interface Content {
  form: Form;
  /** How many rows, of a list. */
  rows: number;
  /** How many it says that there are on all pages; null where it says none. */
  total: number | null;
}

/** Of what is no answer. */
export const NO_CONTENT: Content = { form: "unsure", rows: 0, total: null };

/**
 * Reads what an answer holds: that of a company has the id asked for, all else is a list or a page of one.
 * @param path Of the request, with its query string.
 */
export function readContent(path: string, body: Buffer): Content {
  const value = readJson(body);
  const { data, total } = Object(value) as Record<string, unknown>;
  const list = Array.isArray(value) ? value : data;
  const rows = Array.isArray(list) ? list.length : undefined;
  const form = body.length > LARGEST_KEPT_BYTES ? "unsure" : toForm(path, value, rows);
  return { form, rows: rows ?? 0, total: typeof total === "number" ? total : null };
}

function toForm(path: string, value: unknown, rows: number | undefined): Form {
  const { error, id, companyId = id } = Object(value) as Record<string, unknown>;
  if ((error ?? null) !== null) return "unsure";
  const [, asked] = OF_ONE.exec(path) ?? [];
  if (asked !== undefined) {
    return typeof companyId === "string" && toCompanyKey(encodeURIComponent(companyId)) === toCompanyKey(asked)
      ? "data"
      : "unsure";
  }
  if (rows === undefined) return "unsure";
  return rows > 0 ? "data" : "nothing";
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
