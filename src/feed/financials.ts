import { DEFAULT_PAGE_SIZE } from "../contract/constants";
import { type CompanyRef, toCompanyKey, toRefKey } from "./company-ref";
import { decodeFinancials, decodePage, type Financials, readText } from "./decode";
import { DecodeError } from "./errors";
import { createAsked } from "./financials/asked";
import type { Batch } from "./financials/batch";
import { loadCompany } from "./financials/chunk";
import { isPastYear } from "./keeping";
import type { Provider } from "./provider";
import { type Registrations, toAmbiguous, toUnregistered } from "./registrations";
import type { Question, Watch } from "./watch";

export interface FinancialsOptions {
  /** A fiscal year; default all. */
  year?: number | null;
  /** Whether the answer must say when its fiscal years begin and end (§2.3: sure only in a single company's answer). */
  withPeriods?: boolean;
}

export interface FinancialsQuestions {
  /**
   * Asks for one company's financials (§4.2); asked together with others' it costs a share of one request.
   * A registration number of which nothing is known is first resolved to its company, by a request of its own.
   *
   * @throws RequestError (FEED_NOT_FOUND …), NoValueError (FEED_AMBIGUOUS) as the question's failure
   */
  ask(company: CompanyRef, options?: FinancialsOptions): Question<Financials>;
  /**
   * Asks which company with financials has a registration number (§4.2); what comes with the answer is kept.
   *
   * @throws RequestError (FEED_NOT_FOUND, FEED_SCOPE_MISSING …), NoValueError (FEED_AMBIGUOUS) as the question's failure
   */
  askIdOf(registrationNumber: string): Question<string>;
}

interface Context {
  provider: Provider;
  batch: Batch;
  watch: Watch;
  registrations: Registrations;
}

/** Makes the questions about financials, which share one batch and what is known of registration numbers. */
export function createFinancials(
  provider: Provider,
  batch: Batch,
  watch: Watch,
  registrations: Registrations,
): FinancialsQuestions {
  const context = { provider, batch, watch, registrations };
  const asked = createAsked((companyId, year, isClosed) => {
    const question = ask(context, { companyId }, { year });
    return { ...question, keeping: { family: "financials", isClosed } };
  }, isPastYear);
  return {
    ask(company, options) {
      const { year, withPeriods } = toWanted(options);
      if ("companyId" in company && !withPeriods) return asked.ask(company.companyId, year);
      return ask(context, company, options);
    },
    askIdOf: (registrationNumber) => askIdOf(context, registrationNumber),
  };
}

function ask(context: Context, company: CompanyRef, options?: FinancialsOptions): Question<Financials> {
  const wanted = toWanted(options);
  const { year, withPeriods } = wanted;
  const companyId = "companyId" in company ? company.companyId : context.registrations.find(company.registrationNumber);
  return {
    key: ["financials", toRefKey(company), year, withPeriods],
    ...(companyId !== null && !withPeriods && { within: toWholeKey(companyId) }),
    keeping: { family: "financials", isClosed: (nowMs) => year !== null && isPastYear(year, nowMs) },
    load: ({ signal }) =>
      "companyId" in company
        ? loadById(context, company.companyId, wanted, signal)
        : loadByNumber(context, company.registrationNumber, wanted, signal),
  };
}

function askIdOf(context: Context, registrationNumber: string): Question<string> {
  const { provider, watch, registrations } = context;
  return {
    key: ["financials", "id", registrationNumber],
    async load({ signal }) {
      const [known, ...others] = registrations.list(registrationNumber);
      if (others.length > 0) throw toAmbiguous(registrationNumber, registrations.list(registrationNumber));
      if (known !== undefined) return known;
      const { companyId, whole } = await loadNumbered(provider, registrations, registrationNumber, signal);
      if (whole !== null) watch.seed(ask(context, { companyId }), whole, signal);
      registrations.learn(registrationNumber, companyId);
      return companyId;
    },
  };
}

async function loadById(context: Context, companyId: string, wanted: Wanted, signal: AbortSignal) {
  const { provider, batch, watch } = context;
  const { year, withPeriods } = wanted;
  const batched = await batch.load({ companyId, year, signal });
  if (year !== null && batched.year === null) watch.seed(ask(context, { companyId }), batched.financials, signal);
  if (!withPeriods || batched.isAlone || hasPeriods(batched.financials)) return batched.financials;
  return loadCompany(provider, companyId, null, { signal });
}

async function loadByNumber(context: Context, registrationNumber: string, wanted: Wanted, signal: AbortSignal) {
  const { watch, registrations } = context;
  const known = registrations.find(registrationNumber);
  if (known !== null) return loadById(context, known, wanted, signal);
  const companyId = await watch.wait(askIdOf(context, registrationNumber), signal);
  return watch.wait(ask(context, { companyId }, wanted), signal);
}

/** Key of the question for all years of a company. */
const toWholeKey = (companyId: string) => ["financials", toRefKey({ companyId }), null, false];

/** What a question is after, told apart. */
interface Wanted {
  year: number | null;
  withPeriods: boolean;
}

/** What may take a request of its own is asked once for all years. */
function toWanted({ year = null, withPeriods = false }: FinancialsOptions = {}): Wanted {
  return { year: withPeriods ? null : year, withPeriods };
}

/** The company that a number names, and its financials where they are sure to have come whole. */
interface Numbered {
  companyId: string;
  whole: Financials | null;
}

/** Numbers are resolved one at a time: an answer carries ids only, and matching by position would be a guess. */
async function loadNumbered(
  provider: Provider,
  registrations: Registrations,
  registrationNumber: string,
  signal: AbortSignal,
): Promise<Numbered> {
  const body = { identifiers: [registrationNumber] };
  const reply = await provider.load({ operation: "getFinancialsOfMany", body }, { signal });
  const { rows, total } = decodePage(reply.body, "financials");
  const found = rows.map(decodeFinancials);
  const ids = [...new Set(found.map(({ companyId }) => toCompanyKey(companyId)))];
  const [first] = found;
  if (first === undefined) throw toUnregistered(registrationNumber);
  if (ids.length > 1 || (rows.length === 1 && total !== null && total > 1)) {
    const count = Math.max(ids.length, total ?? 0);
    // Nobody shares a number with so many: it was not read as a filter, and none of these is known to have it.
    if (count >= DEFAULT_PAGE_SIZE) {
      throw new DecodeError(
        `the provider answers the registration number "${registrationNumber}" with ${count} companies; use the company's id`,
      );
    }
    if (ids.length > 1) registrations.learnSeveral(registrationNumber, ids);
    throw toAmbiguous(registrationNumber, ids, count);
  }
  // In pieces, or so small that it could be one piece: only a single company's answer is sure to be whole.
  const isWhole = rows.length === 1 && total === 1 && first.years.length > 1;
  return { companyId: first.companyId, whole: isWhole ? first : null };
}

function hasPeriods({ years }: Financials): boolean {
  return years.every(({ fields }) => readText(fields.financialPeriodStart) && readText(fields.financialPeriodEnd));
}
