import { DecodeError } from "../../client/errors";
import type { LoadOptions, Provider } from "../../client/provider";
import { DEFAULT_PAGE_SIZE } from "../../contract/constants";
import { decodeFinancials, decodePage, type Financials } from "../decode";
import { type Naming, toDistinct, toUnregistered } from "./naming";

/** The companies with financials that a number names, and the one's financials where they are sure to have come whole. */
type NamedFinancials = Naming & { whole: Financials | null };

/**
 * Reads whose a number is from POST /financials with that single identifier (§4.2): an answer carries ids only, and
 * matching several by position would be a guess.
 *
 * @throws RequestError (FEED_NOT_FOUND) where nobody has it; DecodeError (FEED_RESPONSE_MALFORMED) where the answer
 *   leaves out what its total counts, or is not by number; what `provider.load` throws
 */
export async function nameByFinancials(
  provider: Provider,
  registrationNumber: string,
  { signal, sources }: LoadOptions,
): Promise<NamedFinancials> {
  const body = { identifiers: [registrationNumber] };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, { signal, sources });
  const { rows, total } = decodePage(reply.body, "financials");
  const found = rows.map(decodeFinancials);
  const ids = toDistinct(found.map(({ companyId }) => companyId));
  const announced = Math.max(rows.length, total ?? 0);
  // A company may come in several elements, a year in each; one element of one company is counted by the total.
  const count = ids.length > 1 || rows.length === 1 ? Math.max(ids.length, total ?? 0) : ids.length;
  // Nobody shares a number with so many: it was not read as a filter, and none of these is known to have it.
  if (count >= DEFAULT_PAGE_SIZE) {
    throw new DecodeError(
      `the provider answers the registration number "${registrationNumber}" with ${count} companies; use the company's id`,
    );
  }
  if (count <= 1 && announced > rows.length) {
    throw new DecodeError(
      `the provider announces financials of ${announced} for the registration number "${registrationNumber}" and gives ${rows.length}; use the company's id`,
    );
  }
  const [first] = found;
  if (first === undefined) throw toUnregistered(registrationNumber);
  // In pieces, or so small that it could be one piece: only a single company's answer is sure to be whole.
  const isWhole = rows.length === 1 && total === 1 && first.years.length > 1;
  return { ids, count, records: [], whole: isWhole ? first : null };
}
