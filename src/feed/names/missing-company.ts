import { type FeedError, RequestError } from "../../client/errors";
import type { CompanyRef } from "../../client/ids";
import { type Message, msg } from "../../client/messages";
import type { CompanyData } from "../registrations/evidence";
import type { NamedCompany } from "../resolutions";
import { findById, toShort } from "./candidates";
import { readCountryPrefix } from "./country-prefix";
import type { NamesAtHand } from "./naming";
import { isOf, type NameRow, type NameSource, pickColumn } from "./rows";

/** What the provider lacks of a company that a formula names. */
export interface Missing {
  companyId: string;
  data: CompanyData;
  /** The family of data that would have them. */
  family: NameSource;
  /** The only fiscal year of the query; default none. */
  year?: number | null | undefined;
}

/**
 * Makes the error of a company without the data, which a person wrote without its id. It sends no request; without
 * anything known of the company, the error stays.
 */
export async function explainMissing(
  context: NamesAtHand,
  error: FeedError,
  company: CompanyRef,
  missing: Missing,
): Promise<FeedError> {
  if ("name" in company) return explainName(context, error, company, missing);
  if ("companyId" in company || missing.data !== "classification") return error;
  // The id comes from the private-market data, and the taxonomy may lack the company.
  const { companyId } = missing;
  return new RequestError(
    "FEED_NOT_FOUND",
    msg`the taxonomy has no company ${companyId}, which "${company.registrationNumber}" means; give the id that it has there`,
    error.facts,
  );
}

async function explainName(
  { resolutions, indexes, engine }: NamesAtHand,
  error: FeedError,
  named: NamedCompany,
  missing: Missing,
): Promise<FeedError> {
  const kept = resolutions.find(named, missing.family);
  if (kept === null) return error;
  const index = await indexes.find(readCountryPrefix(named.name, named.country).country).catch(() => null);
  const row = (index && (await findById(engine, index.key, missing.companyId))) ?? null;
  const means = msg`${describe(toShort(kept.companyName), row)}, which "${toShort(named.name)}" means here,`;
  return new RequestError("FEED_NOT_FOUND", toSentence(means, missing, row), { ...error.facts, named });
}

/** Describes a company: "Sakura Foods (listed, 4952)". */
function describe(name: string, row: NameRow | null): Message | string {
  if (row === null) return name;
  const ticker = pickColumn(row, "tickerSymbol");
  return ticker === "" ? msg`${name} (private)` : msg`${name} (listed, ${ticker})`;
}

function toSentence(means: Message, { data, year = null }: Missing, row: NameRow | null): Message {
  const isElsewhere = row !== null && !isOf(row, "private");
  if (data === "classification") return msg`${means} is not among the classified companies; choose another company`;
  if (data === "record") {
    return isElsewhere
      ? msg`${means} has no private-market record: only private companies have one; choose another company`
      : msg`${means} has no private-market record; choose another company`;
  }
  if (isElsewhere) return msg`${means} has no financials: only private companies have them; choose another company`;
  return year === null
    ? msg`${means} has no financials; choose another company`
    : msg`${means} has no financials for ${year}; give another year, or choose another company`;
}
