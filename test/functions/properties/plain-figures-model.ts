import { expect } from "@jest/globals";
import { RequestError } from "../../../src/client/errors";
import { type CompanyRef, toRefKey } from "../../../src/client/ids";
import { decodeFinancials, type Financials } from "../../../src/feed/decode";
import type { FinancialsOptions } from "../../../src/feed/financials";
import type { Query } from "../../../src/feed/query-cache";
import { FigureCell } from "../../../src/functions/figure-group";
import { createSession } from "../../../src/session/session";
import { toShown } from "../../office/custom-functions";
import { createClock } from "../../support/clock";
import { createInvocation, createQuery, type Invocation } from "../streamed-queries";

/** The arguments of FINANCIAL's single cells. */
export interface Formula {
  company: number;
  year: unknown;
  metric: unknown;
  basis: unknown;
  unit: unknown;
}

/** Events of a sheet; small numbers identify cells and companies. */
export type Command =
  | { kind: "type"; cells: readonly (Formula & { cell: number })[] }
  | { kind: "clear"; cell: number }
  | { kind: "answer"; company: number; financials: unknown }
  | { kind: "fail"; company: number }
  | { kind: "preview"; formula: Formula }
  | { kind: "advance"; byMs: number }
  | { kind: "refresh" }
  | { kind: "set"; settings: { numberProperties?: boolean; dateSystem?: 1900 | 1904 } };

export const COMPANIES = ["6f1a2f0e-0000-4000-8000-00000000000a", "6F1A2F0E-0000-4000-8000-00000000000B"];

type Financial = (...given: unknown[]) => void;

export type Page = ReturnType<typeof createPage>;

/**
 * A page that shows every formula in one of the two ways.
 * @param isGeneral Whether its calls look like the pane's, which are never grouped.
 */
export function createPage(financial: Financial, isGeneral: boolean) {
  const clock = createClock();
  const session = createSession({ ports: clock.ports, companionUrl: "http://127.0.0.1:9" });
  const queries = new Map<string, ReturnType<typeof createQuery>[]>();
  const make = (company: CompanyRef, year: number | null, withPeriods: boolean) => {
    const ref = toRefKey(company);
    const made = createQuery("figures");
    const id = "companyId" in company ? company.companyId.toLowerCase() : "";
    queries.set(id, [...(queries.get(id) ?? []), made]);
    return { ...made.query, key: ["financials", ref, year, withPeriods] } as Query<Financials>;
  };
  // One query answers for all years of a company: which query answers for which year is not the cells' concern.
  const known = new Map<string, Query<Financials>>();
  const query = (company: CompanyRef, { year = null, withPeriods = false }: FinancialsOptions = {}) => {
    const isWhole = "companyId" in company || withPeriods;
    const key = JSON.stringify([toRefKey(company), isWhole ? null : year, withPeriods]);
    const made = known.get(key) ?? make(company, isWhole ? null : year, withPeriods);
    known.set(key, made);
    return made;
  };
  Object.assign(session.feed, { financials: { query } });
  return { session, clock, financial, isGeneral, queries, cells: new Map<number, Invocation>() };
}

/** Performs a command in a page, and lets everything settle. */
export async function perform(page: Page, command: Command): Promise<void> {
  if (command.kind === "type") for (const formula of command.cells) type(page, formula.cell, formula);
  else if (command.kind === "clear") clear(page, command.cell);
  else if (command.kind === "answer") settle(page, command.company, (load) => load.answer(toAnswer(command)));
  else if (command.kind === "fail") settle(page, command.company, (load) => load.fail(FAILURE));
  else if (command.kind === "preview") open(page, createInvocation(true), command.formula);
  else if (command.kind === "refresh") void page.session.refresh();
  else if (command.kind === "set") page.session.change(command.settings);
  await page.clock.advance(command.kind === "advance" ? command.byMs : 50);
}

/** Clears all cells: nothing may be left of them. */
export async function close(page: Page): Promise<void> {
  for (const cell of [...page.cells.keys()]) clear(page, cell);
  await page.clock.advance(2_000);
  const { session, clock } = page;
  expect([session.feed.queryCache.size(), session.calls.list().length, session.waits.size(), clock.timers()]).toEqual([
    0, 0, 0, 0,
  ]);
  session.feed.queryCache.close();
}

const FAILURE = new RequestError("FEED_SERVER_FAILED", "down; refresh later");

const toAnswer = ({ company, financials }: Command & { kind: "answer" }): Financials =>
  decodeFinancials({ companyId: COMPANIES[company], years: financials });

function type(page: Page, cell: number, formula: Formula): void {
  const former = page.cells.get(cell);
  const invocation = Object.assign(createInvocation(), { address: `Sheet1!A${cell + 1}` });
  page.cells.set(cell, invocation);
  open(page, invocation, formula);
  former?.onCanceled();
}

function open({ session, financial, isGeneral }: Page, invocation: Invocation, formula: Formula): void {
  const { company, year, metric, basis, unit } = formula;
  if (isGeneral && !invocation.isInValuePreview) Object.assign(invocation, { calls: session.calls });
  financial([[COMPANIES[company]]], [[year]], [[metric]], basis, unit, invocation);
}

function clear({ cells }: Page, cell: number): void {
  cells.get(cell)?.onCanceled();
  cells.delete(cell);
}

type Load = ReturnType<typeof createQuery>["loads"][number];

function settle({ queries }: Page, company: number, end: (load: Load) => void): void {
  for (const { loads } of queries.get(COMPANIES[company]!.toLowerCase()) ?? []) for (const load of loads) end(load);
}

/** Everything that a person or the pane can see. */
export function look({ session, cells }: Page): unknown {
  const calls = session.calls.list().map((call) => {
    const { name, given, address, error, shown } = call;
    const { error: cellError, places, rowPlaces } = call.readOrigins()(0, 0); // the query differs: years may share one
    return { name, given, address, error, shown: shown && toShown(shown), cellError, places, rowPlaces };
  });
  calls.sort((one, other) => String(one.address).localeCompare(String(other.address)));
  return { calls, cells: [...cells].map(([cell, { shown }]) => [cell, toShown(shown.at(-1))]) };
}

export const countGrouped = ({ session }: Page): number =>
  session.calls.list().filter((call) => call instanceof FigureCell).length;
