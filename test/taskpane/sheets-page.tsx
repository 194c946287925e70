import { afterEach, beforeAll } from "@jest/globals";
import { fireEvent, screen, within } from "@testing-library/react/pure";
import type { SheetPlan } from "../../src/contract/workbook";
import { type MadeSheet, toPolicies } from "../../src/session/settings";
import type { ChosenCompany, PaneContext } from "../../src/taskpane/pane";
import { Sheets } from "../../src/taskpane/Sheets";
import { toTexts } from "../../src/taskpane/texts";
import { checkPage } from "./access";
import { toCall } from "./call";
import { openPart } from "./open-pane";
import { findHidden, press, serveSessions, session } from "./pane-sessions";

interface Opening extends Partial<PaneContext> {
  initialTask?: { company: ChosenCompany };
  made?: readonly MadeSheet[];
  language?: string;
}

/** A companion for all tests of a file, and a session of its own for each. */
export function serveSheets(): void {
  beforeAll(findHidden);
  serveSessions();
  afterEach(() => session.change({ refresh: toPolicies("open"), sheets: [] })); // ends the timers
}

/** Opens the part on the test's session. */
export function openSheets({ initialTask, made = [], language = "en-US", ...options }: Opening = {}) {
  session.change({ sheets: made });
  return openPart(session, <Sheets handoff={initialTask} />, { texts: toTexts(language), ...options });
}

/** Subscribes to a month as a cell's formula does, until it has its answer. */
export async function watchMonth(month: string, address: string | null = null): Promise<void> {
  const range = { start: `2024-${month}-01T00:00:00`, end: `2024-${month}-02T23:59:59` };
  const query = session.feed.rankings.queryCompanies(range, 5);
  session.calls.add(toCall({ given: { start: range.start }, address, queries: [query] }));
  await new Promise<void>((resolve) => {
    session.feed.queryCache.observe(query, ({ status }) => status === "answered" && resolve());
  });
}

export const choose = (template: string) => pick("Kind of sheet", template);

/** Unfolds the workbook's policy of refreshing. */
export const openRefresh = () => fireEvent.click(screen.getByRole("heading", { name: "Refresh" }));

export function pick(label: string, option: string): void {
  const select = screen.getByRole("combobox", { name: label });
  const { value } = within(select).getByRole<HTMLOptionElement>("option", { name: option });
  fireEvent.change(select, { target: { value } });
}

export const write = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

/** Enters a company into its field and leaves it; only ids and numbers are accepted so. */
export function give(label: string, company: string): void {
  write(label, company);
  fireEvent.blur(screen.getByLabelText(label));
}

/** Creates the sheet of the form, until the pane says so. */
export function create(message: RegExp = /^Created "/): Promise<HTMLElement> {
  press("Create sheet");
  return screen.findByText(message);
}

/** The companies of a form, as its removable items. */
export const listGiven = () => screen.queryAllByRole("button", { name: /^Remove/ }).map((each) => each.textContent);

/** Cells of the first created sheet. */
export const contentsOf = ([plan]: readonly SheetPlan[], ...places: string[]) =>
  places.map((at) => plan?.cells.find((cell) => cell.at === at)?.content);

export const checkAccess = () => checkPage("page-has-heading-one");
