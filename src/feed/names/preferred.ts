import { hasCode } from "../../client/errors";
import { type Row, readText } from "../decode";
import type { Feed } from "../feed";
import type { Query } from "../query-cache";

/** The names that are shown of companies: as the provider writes them, or those in a language where they have one. */
export type NameChoice = "provider" | "en" | "ja";

/** Nobody prefers the informal name, which comes last. */
const FIELDS = ["companyName", "companyFormalName", "companyLegalName", "companyEnglishName", "companyInformalName"];

/** Whether a name is in the chosen language. */
function isChosen(field: string, name: string, choice: NameChoice): boolean {
  if (choice === "ja")
    return field !== "companyInformalName" && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(name);
  const isEnglish = field === "companyName" && !/(?![A-Za-z])\p{L}/u.test(name);
  return choice === "provider" || field === "companyEnglishName" || isEnglish;
}

/** Lists the names of a company's record of any family, or of several joined: each once, the one to show first. */
export function listPreferred(row: Row, choice: NameChoice): string[] {
  const names = FIELDS.flatMap((field) => {
    const name = readText(row[field]);
    return name === null ? [] : [{ name, isFirst: isChosen(field, name, choice) }];
  });
  const first = names.filter(({ isFirst }) => isFirst);
  return [...new Set([...first, ...names].map(({ name }) => name))];
}

/**
 * Gives the query for a private company's record under the name to show. Where the record has another one, the company's
 * classification is read, which has more names; without one, or without the right to read it, the record's name stays.
 *
 * @throws the errors of both queries, as the query's failure
 */
export function queryNamed(
  { queryCache, taxonomies }: Pick<Feed, "queryCache" | "taxonomies">,
  query: Query<Row>,
  choice: NameChoice,
): Query<Row> {
  if (choice === "provider") return query;
  return {
    key: [...query.key, choice],
    ...(query.persistence && { persistence: query.persistence }),
    async load(loading) {
      const record = await queryCache.wait(query, loading);
      const name = readText(record.companyName);
      if (name !== null && isChosen("companyName", name, choice)) return record;
      const classified = taxonomies.query({ companyId: String(record.id) });
      const names = await queryCache.wait(classified, loading).catch((error) => {
        if (hasCode("FEED_NOT_FOUND", "FEED_SCOPE_MISSING")(error)) return {};
        throw error;
      });
      return { ...record, companyName: listPreferred({ ...names, ...record }, choice)[0] };
    },
  };
}
