import type { ProviderQuery } from "../../companion/feature";
import type { Provider } from "../../companion/provider";
import { Refusal, throwRefusal } from "../../companion/refusal";
import type { ProviderAnswer } from "../../companion/relay/answer";
import { type Family, OPERATION_FAMILIES, OPERATIONS, type ReadOperation } from "../../contract/constants";
import type { CachedAnswer, CacheEntry, FirmStores } from "../stores";
import { CLASSIFICATION, type CompanyRow, RECORD, readCompanyRow, SOURCES, type Source } from "./companies-in";
import { readUnambiguousJson } from "./json";
import type { Reader } from "./shared/result";
import { ABSENT_MS, toPathKey, toScope } from "./shared/shared-cache";

/** A company seldom moves. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
/** Concurrent lookups; none starts after a refused one. */
const AT_ONCE = 12;
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;
const COUNTRY = /^[A-Z]{3}$/;

/** The family's own source first: the two may give different countries. */
const toSources = (family: Family): readonly [Source, Source] =>
  family === "taxonomies" ? [CLASSIFICATION, RECORD] : [RECORD, CLASSIFICATION];

/** Reads with the firm's own rights, to look up countries. */
export interface AsFirm {
  /** Reads a company whatever the person's own rights are. */
  read(operation: Source["operation"], query: ProviderQuery): Promise<ProviderAnswer>;
  /** Counts reads before they are made, needed or not: the count must not show which companies exist. */
  admit: Reader["admit"];
}

/** Creates the cache of countries; it stores nothing else of a company. */
export function createCompanyCountries({ answers }: Pick<FirmStores, "answers">, provider: () => Provider) {
  const toKey = ({ operation }: Source, id: string) => `${toScope(provider())} home ${operation} ${toPathKey(id)}`;
  const toEntry = (source: Source, id: string, country = ""): CacheEntry => {
    const lifetimeMs = country === "" ? ABSENT_MS : KEPT_MS;
    return { key: toKey(source, id), body: Buffer.from(country), atMs: Date.now(), lifetimeMs };
  };
  const load = async (sources: readonly Source[], id: string, { read }: AsFirm, readable: ReadonlySet<string>) => {
    let found: string | undefined;
    for (const source of sources) {
      const country = await loadCountry(source, id, read);
      await answers.store([toEntry(source, id, country)]);
      found ??= country;
      if (found !== undefined && readable.has(found)) break;
    }
    return found;
  };
  return {
    /**
     * Gives the country of each company (ISO 3166-1 alpha-3), in order; absent where the provider gives none.
     * @param family Decides which source wins: the registered address, or the classification for taxonomies.
     * @param readable The countries that the person may read. Any other takes as many reads as none does, lest the time
     *   of a refusal show which companies exist.
     * @throws Refusal (FEED_RATE_LIMITED, FEED_SERVER_FAILED) while it cannot be found out; what `asFirm` throws.
     */
    async find(
      family: Family,
      companyIds: readonly string[],
      asFirm: AsFirm,
      readable: ReadonlySet<string>,
    ): Promise<readonly (string | undefined)[]> {
      const sources = toSources(family);
      const cached = await Promise.all(
        sources.map((source) => answers.read(companyIds.map((id) => toKey(source, id)))),
      );
      const known = companyIds.map((_id, place) => readCached(cached.map((each) => each[place])));
      const found = new Map(companyIds.map((id, place) => [id, known[place]]));
      const missing = [...found].flatMap(([id, country]) => (country === undefined && PLAIN_ID.test(id) ? [id] : []));
      throwRefusal(asFirm.admit(missing.length * sources.length));
      for (let at = 0; at < missing.length; at += AT_ONCE) {
        const ids = missing.slice(at, at + AT_ONCE);
        await Promise.all(ids.map(async (id) => found.set(id, await load(sources, id, asFirm, readable))));
      }
      return companyIds.map((id) => found.get(id) || undefined);
    },
    /** Stores the countries that an answer gives, which saves lookups and shows a move at once. */
    async learn(operation: ReadOperation, body: Buffer): Promise<void> {
      const source = SOURCES[OPERATION_FAMILIES[operation]];
      if (source === undefined) return;
      const named = listCompanies(operation, body).filter(({ country }) => isCountry(country));
      await answers.store(named.flatMap(({ id, country }) => (id ? [toEntry(source, id, country)] : [])));
    },
  };
}

/** The cached country: without an entry of the first source it is unknown, whatever the second says. */
function readCached([first, second]: readonly (CachedAnswer | undefined)[]): string | undefined {
  return first?.body.toString() || (first && second?.body.toString());
}

/** Lists the companies of an unambiguous answer, whether a list or one company. */
function listCompanies(operation: ReadOperation, body: Buffer): readonly CompanyRow[] {
  const reading = readUnambiguousJson(body);
  if (typeof reading === "string") return [];
  const isOfOne = OPERATIONS[operation].path.endsWith("{companyId}");
  const { data = [] } = Object(reading.value);
  const rows: unknown[] = isOfOne ? [reading.value] : [data].flat();
  return rows.map((row) => readCompanyRow(operation, Object(row)));
}

/** Ignores an answer about another company than the requested one. */
async function loadCountry({ operation }: Source, id: string, read: AsFirm["read"]): Promise<string | undefined> {
  const answer = await read(operation, {
    method: "GET",
    path: OPERATIONS[operation].path.replace("{companyId}", id),
  });
  refuseFailure(answer);
  const [company] = answer.status === 200 ? listCompanies(operation, answer.body) : [];
  const isOwn = company?.id !== undefined && toPathKey(company.id) === toPathKey(id);
  return isOwn && isCountry(company.country) ? company.country : undefined;
}

/** Refuses after a failure, which says nothing about the person's rights. */
function refuseFailure({ status, headers }: ProviderAnswer): void {
  if (status !== 401 && status !== 408 && status !== 429 && status < 500) return;
  const sentence = "Whether your role reads this company cannot be found out at present: try again later.";
  const seconds = Number(headers["retry-after"]) || undefined;
  if (status === 429) throw new Refusal(429, sentence, "FEED_RATE_LIMITED", seconds);
  throw new Refusal(502, sentence, "FEED_SERVER_FAILED", seconds);
}

const isCountry = (text = ""): boolean => COUNTRY.test(text);
