import { OPERATIONS } from "../contract/constants";
import type { Provider } from "./provider";
import { Refusal } from "./refusal";
import type { ProviderAnswer, ProviderQuestion } from "./relay/provider-reads";
import type { Stores } from "./stores";

/** A company seldom moves. */
const KEPT_MS = 30 * 24 * 3600 * 1000;
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;
const COUNTRY = /^[A-Z]{3}$/;

/** Where companies are told, the likelier first, and where their country stands there (§2.2, §2.4). */
const SOURCES = [
  {
    operation: "getCompany",
    pickCountry: ({ registeredAddress }: Row) => Object(registeredAddress).country,
  },
  {
    operation: "getTaxonomyCompany",
    pickCountry: ({ countryCode }: Row) => countryCode,
  },
] as const;

type Source = (typeof SOURCES)[number];
type Row = Record<string, unknown>;

/** Reads a company as the firm's own client, whatever the person may read who is to be judged. */
export type ReadAsFirm = (operation: Source["operation"], question: ProviderQuestion) => Promise<ProviderAnswer>;

/** In which country companies are registered. */
export interface Homes {
  /**
   * Gives the country of each company (ISO 3166-1 alpha-3), in their order; absent where the provider tells none.
   * @throws Refusal (FEED_RATE_LIMITED, FEED_SERVER_FAILED) while it cannot be found out; what `readAsFirm` throws.
   */
  find(companyIds: readonly string[], readAsFirm: ReadAsFirm): Promise<readonly (string | undefined)[]>;
}

/** Creates the memory of countries: of a company nothing else is kept. */
export function createHomes(answers: Stores["answers"], provider: () => Provider): Homes {
  return {
    async find(companyIds, readAsFirm) {
      const { baseUrl, client } = provider();
      const toKey = (id: string) => `home ${baseUrl()} ${client.clientId} ${id}`;
      const kept = await answers.read(companyIds.map(toKey));
      return Promise.all(
        companyIds.map(async (id, place) => {
          const known = kept[place]?.body.toString();
          if (known !== undefined) return known;
          const country = PLAIN_ID.test(id) ? await loadCountry(id, readAsFirm) : undefined;
          if (country === undefined) return undefined;
          const entry = { key: toKey(id), body: Buffer.from(country), atMs: Date.now(), lifetimeMs: KEPT_MS };
          await answers.keep([entry]);
          return country;
        }),
      );
    },
  };
}

async function loadCountry(id: string, readAsFirm: ReadAsFirm): Promise<string | undefined> {
  for (const { operation, pickCountry } of SOURCES) {
    const answer = await readAsFirm(operation, {
      method: "GET",
      path: OPERATIONS[operation].path.replace("{companyId}", id),
    });
    refuseFailure(answer);
    const country = answer.status === 200 ? pickCountry(readRow(answer.body)) : undefined;
    if (typeof country === "string" && COUNTRY.test(country)) return country;
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

function readRow(body: Buffer): Row {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}
