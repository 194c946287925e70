import { OPERATIONS, type OperationId } from "../contract/constants";
import type { Provider } from "./provider";
import { Refusal } from "./refusal";
import type { ProviderAnswer, ProviderQuestion } from "./relay/provider-reads";
import { toScope } from "./shared/kept";
import type { Stores } from "./stores";

/** A company seldom moves. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;
const COUNTRY = /^[A-Z]{3}$/;

/** Where companies are told, the likelier first, and where their id and country stand there (§2.2, §2.4). */
const SOURCES = [
  {
    operation: "getCompany",
    list: "searchCompanies",
    pickId: ({ id }: Row) => id,
    pickCountry: ({ registeredAddress }: Row) => Object(registeredAddress).country,
  },
  {
    operation: "getTaxonomyCompany",
    list: "listTaxonomyCompanies",
    pickId: ({ companyId }: Row) => companyId,
    pickCountry: ({ countryCode }: Row) => countryCode,
  },
] as const;

type Source = (typeof SOURCES)[number];
type Row = Record<string, unknown>;

/** Reads a company as the firm's own client, whatever the person may read who is to be judged. */
export type ReadAsFirm = (operation: Source["operation"], question: ProviderQuestion) => Promise<ProviderAnswer>;

/** In which country companies are. */
export interface Homes {
  /**
   * Gives the country of each company (ISO 3166-1 alpha-3), in their order; absent where the provider tells none.
   * @throws Refusal (FEED_RATE_LIMITED, FEED_SERVER_FAILED) while it cannot be found out; what `readAsFirm` throws.
   */
  find(companyIds: readonly string[], readAsFirm: ReadAsFirm): Promise<readonly (string | undefined)[]>;
  /** Takes in what a list tells of its companies, so that they need not be asked for one by one. */
  learn(operation: OperationId, body: Buffer): Promise<void>;
}

/** Creates the memory of countries: of a company nothing else is kept. */
export function createHomes(answers: Stores["answers"], provider: () => Provider): Homes {
  const toKey = (id: string) => `${toScope(provider())} home ${id}`;
  const keep = (countries: readonly Home[]) =>
    answers.keep(
      countries.map(([id, country]) => {
        return { key: toKey(id), body: Buffer.from(country), atMs: Date.now(), lifetimeMs: KEPT_MS };
      }),
    );
  return {
    async find(companyIds, readAsFirm) {
      const kept = await answers.read(companyIds.map(toKey));
      return Promise.all(
        companyIds.map(async (id, place) => {
          const known = kept[place]?.body.toString();
          if (known !== undefined || !PLAIN_ID.test(id)) return known;
          const country = await loadCountry(id, readAsFirm);
          if (country !== undefined) await keep([[id, country]]);
          return country;
        }),
      );
    },
    async learn(operation, body) {
      const source = SOURCES.find(({ list }) => list === operation);
      const { data } = readRow(body);
      if (source !== undefined && Array.isArray(data)) await keep(data.flatMap((row) => readHome(source, Object(row))));
    },
  };
}

type Home = readonly [id: string, country: string];

function readHome({ pickId, pickCountry }: Source, row: Row): Home[] {
  const [id, country] = [pickId(row), pickCountry(row)];
  return typeof id === "string" && isCountry(country) ? [[id, country]] : [];
}

async function loadCountry(id: string, readAsFirm: ReadAsFirm): Promise<string | undefined> {
  for (const { operation, pickCountry } of SOURCES) {
    const answer = await readAsFirm(operation, {
      method: "GET",
      path: OPERATIONS[operation].path.replace("{companyId}", id),
    });
    refuseFailure(answer);
    const country = answer.status === 200 ? pickCountry(readRow(answer.body)) : undefined;
    if (isCountry(country)) return country;
  }
  return undefined;
}

/** A failure tells nothing of the company, so that nobody is told that they may not read it. */
function refuseFailure({ status, headers }: ProviderAnswer): void {
  if (status !== 401 && status !== 408 && status !== 429 && status < 500) return;
  const sentence = "Whether your role reads this company cannot be found out at present: try again later.";
  const seconds = Number(headers["retry-after"]) || undefined;
  if (status === 429) throw new Refusal(429, sentence, "FEED_RATE_LIMITED", seconds);
  throw new Refusal(502, sentence, "FEED_SERVER_FAILED", seconds);
}

const isCountry = (value: unknown): value is string => typeof value === "string" && COUNTRY.test(value);

function readRow(body: Buffer): Row {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}
