import "fake-indexeddb/auto";
import { afterAll, afterEach, beforeAll, beforeEach, jest } from "@jest/globals";
import { act, cleanup, screen, within } from "@testing-library/react/pure";
import { IDBFactory } from "fake-indexeddb";
import type { Company, CompanyPage, CompanyRankingPage } from "../../src/contract/types";
import { createSession, type Session } from "../../src/session/session";
import { ThisCell } from "../../src/taskpane/ThisCell";
import { installCustomFunctions } from "../office/custom-functions";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { createFakeWorkbook } from "./fake-workbook";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { findHidden } from "./pane-sessions";

/** A page whose formulas are in cells, as in the pane's own page. */
interface CellPage {
  session: Session;
  /** Enters a formula in a cell, until it has a result; omitted arguments are null. */
  type(name: FormulaName, address: string, ...given: unknown[]): Promise<unknown[][]>;
}

const FORMULAS = {
  FINANCIAL: ["financials", "financial"],
  COMPANY: ["companies", "company"],
  RANKING: ["rankings", "ranking"],
} as const;

type FormulaName = keyof typeof FORMULAS;

/** The page's own session: the formulas are loaded once, and share the pane's error classes. */
const current: { session: Session | null } = { session: null };

/** Opens a page of a companion, as if the previous one were closed. */
export async function openCells(origin: string): Promise<CellPage> {
  installCustomFunctions();
  jest.doMock("../../src/session/current", () => current);
  const session = createSession({ ports: createHurriedPorts(), companionUrl: origin });
  current.session = session;
  await session.connect();
  return {
    session,
    async type(name, address, ...given) {
      const [file, exported] = FORMULAS[name];
      const formula: (...all: unknown[]) => void = require(`../../src/functions/${file}`)[exported];
      const padded = Array.from({ length: formula.length - 1 }, (_, index) => given[index] ?? null);
      return new Promise((resolve) => {
        formula(...padded, { address, setResult: resolve, onCanceled: () => {} });
      });
    },
  };
}

/** The companion and the page of the present test. */
export const at = {} as {
  companion: RunningCompanion;
  /** Of the private-market data. */
  companies: Company[];
  /** Theirs. */
  ids: string[];
  ranked: CompanyRankingPage["data"];
  page: CellPage;
};

/** Opens a page with cells for each test of a file. */
export function openForEach(): void {
  beforeAll(findHidden);
  beforeAll(async () => {
    at.companion = await startCompanion({ companies: 60 });
    const read = await createDirectReading(at.companion.origin);
    const { data } = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=20");
    at.companies = data;
    at.ids = data.map(({ id }: Company) => id);
    const range = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-07T23:59:59";
    at.ranked = (await read<CompanyRankingPage>(`/japan/ranking/v1/companies?${range}`)).data;
  });
  beforeEach(async () => {
    at.companion.controls.reset();
    globalThis.indexedDB = new IDBFactory(); // empty caches
    at.page = await openCells(at.companion.origin);
  });
  afterEach(() => {
    cleanup();
    at.page.session.feed.queryCache.close();
  });
  afterAll(() => at.companion.close());
}

/** Shows the part on a workbook with formulas, by "Model!A1". */
export function show(formulas: Record<string, string>) {
  const places = Object.entries(formulas).map(([key, formula]) => {
    const [sheet = "", address = ""] = key.split("!");
    return { sheet, address, formula, value: null };
  });
  const workbook = createFakeWorkbook(places);
  for (const [key, formula] of Object.entries(formulas)) workbook.cells.set(key, { formula });
  return { ...openPart(at.page.session, <ThisCell />, { workbook }), workbook };
}

/** Selects a cell, and unfolds its diagnostics if it has any. */
export async function select(workbook: ReturnType<typeof show>["workbook"], address: string): Promise<void> {
  await act(async () => workbook.select({ sheet: "Model", address }));
  await section().findByText(new RegExp(`^Model!${address}$`));
  for (const fold of document.querySelectorAll("details")) fold.open = true;
}

/** Shows the part on a formula in Model!B2, which is selected. */
export async function showCell(formulas: Record<"Model!B2", string>) {
  const shown = show(formulas);
  await select(shown.workbook, "B2");
  return shown;
}

export const section = () =>
  within(screen.getByRole("heading", { name: /^Selected cell/ }).parentElement as HTMLElement);

/** The definition of a term. */
export const fact = async (term: string) => (await section().findByText(term)).nextElementSibling?.textContent;

export const readJson = (name: string) =>
  JSON.parse((section().getByRole("textbox", { name }) as HTMLTextAreaElement).value);

/** Enters a company's revenue of a year into a cell, and gives its output. @param year default 2023 */
export const typeRevenue = (company: unknown, address = "B2", year = 2023) =>
  at.page.type("FINANCIAL", `Model!${address}`, [[company]], [[year]], [["Revenue"]]);

export const toRevenue = (company: unknown, year = 2023) => `=FEED.FINANCIAL("${company}", ${year}, "Revenue")`;

/** Enters a company's revenue into Model!B2, and shows the part on it. @param company default the first */
export async function showRevenue(company: unknown = at.ids[0]) {
  await typeRevenue(company);
  return showCell({ "Model!B2": toRevenue(company) });
}

/** A company whose name is plain words. */
export function findCompany(): { name: string; id: string } {
  const found = at.companies.find(({ companyName }) => /^\w+ \w+ \w+$/.test(companyName ?? ""));
  return { name: found?.companyName ?? "", id: found?.id ?? "" };
}

/** Leaves out the last letter of a name. */
export const misspell = (name: string) => name.replace(/\w$/, "");
