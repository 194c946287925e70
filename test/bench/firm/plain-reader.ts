import { setTimeout as wait } from "node:timers/promises";
import { fetch, request } from "undici";
import { toGroups } from "../../../src/client/batch/planner";
import { PARTIAL_HEADER } from "../../../src/contract/companion-api";
import { OPERATIONS } from "../../../src/contract/constants";
import type { CompanyFinancials } from "../../../src/contract/types";
import { FIRST_YEAR } from "../../../src/sandbox/data/financials";
import { createConnections, type FillResult, signInPlainly } from "../../firm/analyst";
import { type Cell, listCells, listTruths, pickFigure } from "../../firm/figures";
import type { Firm } from "../../firm/firm";

/** As a pane of a firm does. */
const COMPANIES_AT_ONCE = 50;

/** The envelope of POST /financials. */
interface FinancialsPage {
  data: CompanyFinancials[];
  total: number;
}

/**
 * Signs a reader in who sends what the pane sends and no more: hundreds of panes in one process take longer than the firm
 * that they load.
 */
async function signIn(firm: Firm, place: number) {
  const dispatcher = createConnections(place);
  const send = (url: unknown, init?: object) => fetch(String(url), { ...init, dispatcher }) as never;
  const headers = { ...(await signInPlainly(firm, `plain-${place}`, send)), [PARTIAL_HEADER]: "1" };
  const url = `${firm.origin}/companion/relay${OPERATIONS.getFinancialsOfMany.path}`;
  const read = (companyIds: readonly string[]) =>
    request(url, { method: "POST", headers, body: JSON.stringify({ companyIds, year: FIRST_YEAR }), dispatcher });
  return { fill: (companies: readonly number[]) => fill(read, companies), leave: () => dispatcher.destroy() };
}

/** Signs a number of a firm's people in. */
export const signAllPlainIn = (firm: Firm, count: number) =>
  Promise.all(Array.from({ length: count }, (_, place) => signIn(firm, place)));

type Read = (companyIds: readonly string[]) => ReturnType<typeof request>;

/** Requests groups at once, and repeats what is missing at the time that the companion names. */
async function fill(read: Read, companies: readonly number[]): Promise<FillResult> {
  const filled: FillResult = { waitsMs: [], failed: [], wrong: 0 };
  // Before any request leaves: the truths take longer than the answers.
  const wanted = new Map(companies.map(toWanted));
  const sinceMs = performance.now();
  let resumeMs = 0;
  const take = (companyId: string, years: CompanyFinancials["years"]) => {
    const { cell, truth } = wanted.get(companyId)!;
    wanted.delete(companyId);
    filled.waitsMs.push(performance.now() - sinceMs);
    if (pickFigure(years, cell) !== truth) filled.wrong += 1;
  };
  const takePage = (ids: readonly string[], { data, total }: FinancialsPage, isPartial: boolean) => {
    for (const { companyId, years } of data) take(companyId, years);
    const isWhole = !isPartial && total === data.length;
    if (isWhole) for (const id of ids) if (wanted.has(id)) take(id, []);
  };
  const fillGroup = async (group: readonly string[]) => {
    for (let left = group; left.length > 0; left = left.filter((id) => wanted.has(id))) {
      while (performance.now() < resumeMs) await wait(resumeMs - performance.now());
      const { statusCode, headers, body } = await read(left);
      const text = await body.text();
      if (statusCode === 429) resumeMs = performance.now() + 1_000 * Number(headers["retry-after"]);
      else if (statusCode === 200) takePage(left, JSON.parse(text), headers[PARTIAL_HEADER] !== undefined);
      else return filled.failed.push(...left.map(() => String(statusCode)));
    }
  };
  await Promise.all(toGroups([...wanted.keys()], COMPANIES_AT_ONCE).map(fillGroup));
  return filled;
}

/** A company's id with its first cell and what that shows. */
function toWanted(company: number): [companyId: string, wanted: { cell: Cell; truth: number | null }] {
  const [cell] = listCells(company) as [Cell];
  const [truth] = listTruths(company) as [number | null];
  return [cell.companyId, { cell, truth }];
}
