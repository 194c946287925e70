import { type ScriptedFormulas, type ScriptOptions, startScriptedFormulas } from "../support/scripted-formulas";

/** A version of a fiscal year in the provider's form. */
export type Version = Record<string, unknown> & { year: number };
type Metrics = Record<string, number>;

const toStatement = (statementType: string, metrics: Metrics) => ({
  statementType,
  consolidationType: "CONSOLIDATED",
  metrics: Object.entries(metrics).map(([name, value]) => ({ name, value })),
});

/** The annual statement of a calendar year. `more` overrides its fields; undefined removes one. */
export const annualOf = (year: number, metrics: Metrics, more: object = {}): Version => ({
  year,
  currency: "JPY",
  periodType: "ANNUAL",
  period: "FY4",
  periodYear: year,
  financialPeriodStart: `${year}-01-01`,
  financialPeriodEnd: `${year}-12-31`,
  financialType: "FULL",
  statements: [toStatement("INCOME_STATEMENT", metrics)],
  ...more,
});

/** The figures of one half of it, in another currency, so that no fact can pass for the year's. */
export const halfOf = (year: number, half: 1 | 2, metrics: Metrics, more: object = {}): Version =>
  annualOf(year, metrics, {
    currency: "USD",
    periodType: "INTERIM",
    period: `HY${half}`,
    financialPeriodStart: half === 1 ? `${year}-01-01` : `${year}-07-01`,
    financialPeriodEnd: half === 1 ? `${year}-06-30` : `${year}-12-31`,
    ...more,
  });

/** A company's registration number. */
export const toNumber = (companyId: string): string => `N${companyId.slice(0, 8)}`;

/** The body of POST /financials. */
interface Body {
  companyIds?: string[];
  identifiers?: string[];
  year?: number;
}

export interface YearsProvider extends ScriptedFormulas {
  /** The years of companies, which a test may change. */
  years: Map<string, readonly Version[]>;
  /** Whether POST /financials omits the bounds of years (§2.3), by company; default never. */
  isPostBare: (companyId: string) => boolean;
  /** Types FINANCIAL or FINANCIALS into a cell and gives its final content. */
  show(name: string, ...parameters: unknown[]): Promise<unknown[][]>;
  /** Requests for financials so far, such as `GET` or `POST`. */
  methods(): string[];
}

/** Starts formulas at a provider of financials that filters by year, as the API document says (§4.2). */
export async function startYearsProvider(options: ScriptOptions = {}): Promise<YearsProvider> {
  const years = new Map<string, readonly Version[]>();
  const toRow = (companyId: string, year: unknown) => ({
    companyId,
    years: (years.get(companyId) ?? []).filter((each) => year === null || each.year === Number(year)),
  });
  const stage = await startScriptedFormulas(({ path, query, body }) => {
    const id = /\/financials\/companies\/(.+)$/.exec(path)?.[1];
    if (id !== undefined) return { json: toRow(id, query.get("year")) };
    if (!path.endsWith("/financials")) return undefined;
    const { companyIds = [], identifiers = [], year = null } = body as Body;
    const named = [...years.keys()].filter((companyId) => identifiers.includes(toNumber(companyId)));
    const data = [...companyIds, ...named].map((companyId) => {
      const row = toRow(companyId, year);
      return provider.isPostBare(companyId) ? { ...row, years: row.years.map(withoutBounds) } : row;
    });
    return { json: { data, page: 1, pageSize: 25, total: data.length } };
  }, options);
  const provider: YearsProvider = {
    ...stage,
    years,
    isPostBare: () => false,
    async show(name, ...parameters) {
      const cell = stage.formulas.type(name, ...parameters);
      await stage.rest();
      return (cell.shown.at(-1) ?? []).map((row) => [...row]);
    },
    methods: () => stage.requests.filter(({ path }) => path.includes("/financials")).map(({ method }) => method),
  };
  return provider;
}

function withoutBounds(version: Version): Version {
  const { periodYear: _year, financialPeriodStart: _start, financialPeriodEnd: _end, ...rest } = version;
  return rest as Version;
}
