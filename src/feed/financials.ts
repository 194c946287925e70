import type { Batch } from "./batch";
import { toKey } from "./chunk";
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
  const companyIds = new Map<string, string>();

  const loadById = async (companyId: string, year: number | null, signal: AbortSignal) => {
    const batched = await batch.load({ companyId, year, signal });
    if (year !== null && batched.year === null) watch.seed(ask({ companyId }), batched.financials);
    return batched.financials;
  };

  const loadByNumber = async (registrationNumber: string, year: number | null, signal: AbortSignal) => {
    const known = companyIds.get(registrationNumber);
    if (known !== undefined) return loadById(known, year, signal);
    const financials = await loadNumbered(provider, registrationNumber, signal);
    companyIds.set(registrationNumber, financials.companyId);
    if (year !== null) watch.seed(ask({ registrationNumber }), financials);
    watch.seed(ask({ companyId: financials.companyId }), financials);
    return financials;
  };

  const ask = (
    company: CompanyRef,
    { year = null, withPeriods = false }: FinancialsOptions = {},
  ): Question<Financials> => {
    const ref = "companyId" in company ? { companyId: toKey(company.companyId) } : company;
    return {
      key: ["financials", ref, year, withPeriods],
      ...(year !== null && !withPeriods && { within: ["financials", ref, null, false] }),
      async load({ signal }) {
        const financials =
          "companyId" in company
            ? await loadById(company.companyId, year, signal)
            : await loadByNumber(company.registrationNumber, year, signal);
        return withPeriods && !hasPeriods(financials) ? loadSingle(provider, financials.companyId, signal) : financials;
      },
    };
  };
  return { ask };
}

/** Numbers are resolved one at a time: an answer carries ids only, and matching by position would be a guess. */
async function loadNumbered(provider: Provider, registrationNumber: string, signal: AbortSignal): Promise<Financials> {
  const body = { identifiers: [registrationNumber] };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, { signal });
  const found = decodePage(reply.body, "financials").rows.map(decodeFinancials);
  const ids = [...new Set(found.map(({ companyId }) => toKey(companyId)))];
  const [first] = found;
  if (first === undefined) {
    throw new RequestError(
      "FEED_NOT_FOUND",
      `no company has the id or registration number "${registrationNumber}"; find the company in the FEED pane`,
    );
  }
  if (ids.length > 1) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      `"${registrationNumber}" names ${ids.length} companies; use one of the ids ${ids.slice(0, 5).join(", ")}`,
    );
  }
  return { companyId: first.companyId, years: found.flatMap(({ years }) => years) };
}

async function loadSingle(provider: Provider, companyId: string, signal: AbortSignal): Promise<Financials> {
  const { body } = await provider.load({ operation: "getCompanyFinancials", path: { companyId } }, { signal });
  return decodeFinancials(body);
}

function hasPeriods({ years }: Financials): boolean {
  return years.every(({ fields }) => readText(fields.financialPeriodStart) && readText(fields.financialPeriodEnd));
}
