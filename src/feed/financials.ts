import type { Batch } from "./batch";
import { loadCompany, toKey } from "./chunk";
import { decodeFinancials, decodePage, type Financials, readText } from "./decode";
import { NoValueError, RequestError } from "./errors";
import type { Provider } from "./provider";
import type { Question, Watch } from "./watch";

/** A company as a cell names it. */
export type CompanyRef = { companyId: string } | { registrationNumber: string };

export interface FinancialsOptions {
  /** A fiscal year; default all. */
  year?: number | null;
  /** Whether the answer must say when its fiscal years begin and end (§2.3: sure only in a single company's answer). */
  withPeriods?: boolean;
}

export interface FinancialsQuestions {
  /**
   * Asks for one company's financials (§4.2); asked together with others' it costs a share of one request.
   * A registration number is first resolved to its company, by a request of its own, and remembered.
   *
   * @throws RequestError (FEED_NOT_FOUND …), NoValueError (FEED_AMBIGUOUS) as the question's failure
   */
  ask(company: CompanyRef, options?: FinancialsOptions): Question<Financials>;
}

export function createFinancials(provider: Provider, batch: Batch, watch: Watch): FinancialsQuestions {
  const loadById = async (companyId: string, year: number | null, signal: AbortSignal) => {
    const batched = await batch.load({ companyId, year, signal });
    if (year !== null && batched.year === null) watch.seed(ask({ companyId }), batched.financials);
    return batched.financials;
  };

  const loadByNumber = async (registrationNumber: string, { year, isWhole }: Wanted, signal: AbortSignal) => {
    const whole = ask({ registrationNumber });
    const known = watch.peek(whole);
    if (known.status === "answered") return loadById(known.answer.value.companyId, year, signal);
    if (!isWhole) return watch.wait(whole, signal); // however many years are asked of a number, it is resolved once
    const financials = await loadNumbered(provider, registrationNumber, signal);
    watch.seed(ask({ companyId: financials.companyId }), financials);
    return financials;
  };

  const ask = (company: CompanyRef, options: FinancialsOptions = {}): Question<Financials> => {
    const ref = "companyId" in company ? { companyId: toKey(company.companyId) } : company;
    const wanted = toWanted(options);
    const { year, withPeriods } = wanted;
    return {
      key: ["financials", ref, year, withPeriods],
      ...(year !== null && { within: ["financials", ref, null, false] }),
      async load({ signal }) {
        const isById = "companyId" in company;
        const financials = await (isById
          ? loadById(company.companyId, year, signal)
          : loadByNumber(company.registrationNumber, wanted, signal));
        if (!withPeriods || hasPeriods(financials)) return financials;
        return loadCompany(provider, financials.companyId, null, { signal });
      },
    };
  };
  return { ask };
}

/** What a question is after, told apart. */
interface Wanted {
  year: number | null;
  withPeriods: boolean;
  /** Whether it is the question for all of a company, within which the others are. */
  isWhole: boolean;
}

/** What may take a request of its own is asked once for all years. */
function toWanted({ year = null, withPeriods = false }: FinancialsOptions): Wanted {
  return { year: withPeriods ? null : year, withPeriods, isWhole: year === null && !withPeriods };
}

/** Numbers are resolved one at a time: an answer carries ids only, and matching by position would be a guess. */
async function loadNumbered(provider: Provider, registrationNumber: string, signal: AbortSignal): Promise<Financials> {
  const body = { identifiers: [registrationNumber] };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, { signal });
  const { rows, total } = decodePage(reply.body, "financials");
  const found = rows.map(decodeFinancials);
  const ids = [...new Set(found.map(({ companyId }) => toKey(companyId)))];
  const [first] = found;
  if (first === undefined) {
    throw new RequestError(
      "FEED_NOT_FOUND",
      `no company has the id or registration number "${registrationNumber}"; check the id`,
    );
  }
  if (ids.length > 1 || (rows.length === 1 && total !== null && total > 1)) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      `"${registrationNumber}" names ${Math.max(ids.length, total ?? 0)} companies; use one of the ids ${ids.slice(0, 5).join(", ")}`,
    );
  }
  // In pieces, or so small that it could be one piece: only a single company's answer is sure to be whole.
  const isWhole = rows.length === 1 && total === 1 && first.years.length > 1;
  return isWhole ? first : loadCompany(provider, first.companyId, null, { signal });
}

function hasPeriods({ years }: Financials): boolean {
  return years.every(({ fields }) => readText(fields.financialPeriodStart) && readText(fields.financialPeriodEnd));
}
