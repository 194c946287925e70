import { NoValueError } from "./errors";
import type { IndexFacts, NameEngine } from "./names/engine";
import type { NameIndexes } from "./names/indexes";
import { pickColumn, toTableRow } from "./names/rows";
import type { Found } from "./names/search";
import type { List } from "./pages";
import type { Question } from "./watch";

/** Names of companies, from a local index: the API has no search for them. */
export interface NamesQuestions {
  /**
   * Asks for the companies whose names, ticker or registration number fit a text. An index that takes few requests
   * is built for it; a larger one is left to `NameIndexes.build`.
   *
   * @param country ISO 3166-1 alpha-3 code, or "ALL"
   */
  ask(text: string, country: string, wanted: number | "all"): Question<List>;
  /** Asks for the id of the one company that a text names. */
  askId(text: string, country: string): Question<string>;
}

/** More than fit into a cell's result, whatever fields are shown. */
const MOST_ROWS = 50_000;

const MOST_CANDIDATES = 5;

/** Makes the questions for names, which search the indexes' engine. */
export function createNames(indexes: NameIndexes, engine: NameEngine): NamesQuestions {
  return {
    ask: (text, country, wanted) => ({
      key: ["findNames", country, text, wanted],
      load: async () => {
        const { key, facts } = await indexes.need(country);
        const found = await engine.search(key, text, wanted === "all" ? MOST_ROWS : wanted);
        if (found.total === 0) throw toNobody(text, country, facts);
        if (wanted === "all" && found.total > MOST_ROWS) throw toTooMany(text, found.total);
        return { rows: found.rows.map(toTableRow), expected: found.rows.length };
      },
    }),
    askId: (text, country) => ({
      key: ["findNames", country, text, "id"],
      load: async () => {
        const { key, facts } = await indexes.need(country);
        const exact = await engine.match(key, text);
        const found = exact.total > 0 ? exact : await engine.search(key, text, MOST_CANDIDATES);
        if (found.total === 0) throw toNobody(text, country, facts);
        const [only] = found.rows;
        if (only !== undefined && found.total === 1) return pickColumn(only, "companyId");
        throw toSeveral(text, found);
      },
    }),
  };
}

function toNobody(text: string, country: string, { missing }: IndexFacts): NoValueError {
  const left = missing.map((family) => (family === "private" ? "private-market" : "classified")).join(" and ");
  const reason = left === "" ? "" : ` (without ${left} companies, which this client may not read)`;
  const isAll = country === "ALL";
  const other = isAll ? " or another spelling" : ', another spelling, or "ALL" as country';
  return new NoValueError(
    "FEED_NO_VALUE",
    `no company of ${isAll ? "any country" : country} fits "${toShort(text)}"${reason}; try a shorter part of the name${other}`,
  );
}

function toTooMany(text: string, total: number): NoValueError {
  return new NoValueError(
    "FEED_RESULT_TOO_LARGE",
    `${total} companies fit "${toShort(text)}"; give more of the name, or top`,
  );
}

function toSeveral(text: string, { rows, total }: Found): NoValueError {
  const shown = rows.slice(0, MOST_CANDIDATES);
  const candidates = shown.map(
    (row) => `${toShort(String(toTableRow(row).companyName ?? ""))} ${pickColumn(row, "companyId")}`,
  );
  const more = total > shown.length ? ` and ${total - shown.length} more` : "";
  return new NoValueError(
    "FEED_AMBIGUOUS",
    `"${toShort(text)}" fits ${total} companies: ${candidates.join("; ")}${more}; use one of the ids, or more of the name`,
  );
}

const toShort = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
