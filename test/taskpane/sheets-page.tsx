import { expect } from "@jest/globals";
import { cleanup, fireEvent, screen, within } from "@testing-library/react/pure";
import axe from "axe-core";
import { createPorts } from "../../src/client/ports";
import type { SheetPlan } from "../../src/contract/workbook";
import { createSession, type Session } from "../../src/session/session";
import { type MadeSheet, toPolicies } from "../../src/session/settings";
import type { ChosenCompany, PaneContext } from "../../src/taskpane/pane";
import { Sheets } from "../../src/taskpane/Sheets";
import { toTexts } from "../../src/taskpane/texts";
import { openPart } from "./open-pane";

interface Opening extends Partial<PaneContext> {
  /** The companion's origin. */
  origin: string;
  initialTask?: { company: ChosenCompany };
  made?: readonly MadeSheet[];
  language?: string;
}

let session: Session;

/** Opens the part on its own session. */
export function openSheets({ origin, initialTask, made = [], language = "en-US", ...options }: Opening) {
  session = createSession({ ports: createPorts(), companionUrl: origin });
  session.change({ sheets: made });
  return { session, ...openPart(session, <Sheets handoff={initialTask} />, { texts: toTexts(language), ...options }) };
}

export function closeSheets(): void {
  cleanup();
  session.change({ refresh: toPolicies("open"), sheets: [] }); // ends the timers
  session.feed.queryCache.close();
}

export const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

export const choose = (name: string) => fireEvent.click(screen.getByRole("radio", { name: new RegExp(`^${name}`) }));

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

/** The companies of a form, as its removable items. */
export const listGiven = () => screen.queryAllByRole("button", { name: /^Remove/ }).map((each) => each.textContent);

/** A cell of the first created sheet. */
export const contentOf = ([plan]: readonly SheetPlan[], at: string) =>
  plan?.cells.find((cell) => cell.at === at)?.content;

export async function checkAccess(): Promise<void> {
  // Fluent's focus sentinels have no content; contrast is checked where there are colours.
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  const rules = { "color-contrast": { enabled: false }, "page-has-heading-one": { enabled: false } };
  const { violations } = await axe.run(page, { rules });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
