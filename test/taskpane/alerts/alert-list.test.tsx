/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react/pure";
import { createPorts } from "../../../src/client/ports";
import { createSession, type Session } from "../../../src/session/session";
import { AlertFields } from "../../../src/taskpane/alerts/AlertFields";
import { AlertList } from "../../../src/taskpane/alerts/AlertList";
import type { Alert } from "../../../src/taskpane/alerts/alert";
import { readAlertStore } from "../../../src/taskpane/alerts/store";
import { unjudged } from "../../../src/taskpane/alerts/unjudged";
import { openPart } from "../open-pane";
import { checkAccess } from "../sheets-page";

const ALERT: Alert = {
  ...{ kind: "enters", amount: 50, sheet: "s1", sheetName: "Movers", code: "1001", name: "Aoba Robotics" },
  ...{ ranking: "companies", former: { first: "2024-03-11", last: "2024-03-17" } },
  ...{ first: "2024-03-18", last: "2024-03-24", before: 61, after: 43, isRead: false, isOver: false },
};

let session: Session;

beforeEach(async () => {
  session = createSession({ ports: createPorts(), companionUrl: "http://localhost" });
  await readAlertStore().change({ rules: {}, alerts: [] });
});
afterEach(() => {
  cleanup();
  session.feed.queryCache.close();
});

const change = (alerts: readonly Alert[], rules = {}) => readAlertStore().change({ alerts, rules });

describe("the list of alerts", () => {
  it("says company, change, values before and after, period and sheet", async () => {
    await change([
      ALERT,
      { ...ALERT, kind: "falls", amount: 10, code: "1002", name: "Minato", before: 9, after: null },
    ]);
    openPart(session, <AlertList />, {});
    expect(screen.getByText("2 new alerts")).toBeTruthy();
    const text = screen.getByRole("region", { name: "Alerts" }).textContent;
    expect(text).toContain("Aoba Robotics 1001 entered the top 50: 61 → 43");
    expect(text).toContain("2024-03-18 – 2024-03-24 · Movers");
    expect(text).toContain("fell 10 places or more: 9 → not ranked");
    await checkAccess();
  });

  it("marks one or all as read, which stay stored", async () => {
    await change([ALERT, { ...ALERT, name: "Minato", code: "1002" }], { s1: [{ kind: "enters", amount: 50 }] });
    openPart(session, <AlertList />, {});
    fireEvent.click(screen.getByRole("button", { name: "Mark as read: Minato" }));
    expect(await screen.findByText("1 new alert")).toBeTruthy();
    expect(
      readAlertStore()
        .state()
        .alerts.map(({ isRead }) => isRead),
    ).toEqual([false, true]);
    fireEvent.click(screen.getByRole("button", { name: /^Mark as read/ }));
    expect(await screen.findByText("No new alerts.")).toBeTruthy();
  });

  it("says which sheet could not be judged, and why", async () => {
    await change([], { s1: [{ kind: "enters", amount: 50 }] });
    openPart(session, <AlertList />, {});
    const title = "The rules of Movers could not be judged: ";
    const toText = () =>
      screen.getAllByRole("status").find(({ textContent }) => textContent?.includes(title))?.textContent;
    act(() => unjudged.add({ sheet: "s1", sheetName: "Movers", reason: "the server failed; try later" }));
    expect(toText()).toContain(`${title}the server failed; try later`);
    act(() => unjudged.add({ sheet: "s1", sheetName: "Movers", reason: null }));
    expect(toText()).toContain(`${title}the sheet has no formula any more`);
    await checkAccess();
    act(() => unjudged.remove(() => true));
    expect(toText()).toBeUndefined();
  });

  it("is not there while no rule is on and none is unread", async () => {
    await change([{ ...ALERT, isRead: true }], { s1: [] });
    openPart(session, <AlertList />, {});
    expect(screen.queryByText("Alerts")).toBeNull();
  });
});

it("the rules of a sheet are off at first, and are stored by the sheet's id", async () => {
  openPart(session, <AlertFields made={{ name: "Movers", id: "s1", template: "movers" }} />, {});
  const pickers = screen.getAllByRole<HTMLSelectElement>("combobox", { hidden: true });
  expect(pickers.map(({ value }) => value)).toEqual(["0", "0", "0"]);
  fireEvent.change(pickers[0] as HTMLSelectElement, { target: { value: "50" } });
  fireEvent.change(pickers[2] as HTMLSelectElement, { target: { value: "10" } });
  const enters = { kind: "enters", amount: 50 };
  expect(readAlertStore().state().rules).toEqual({ s1: [enters, { kind: "falls", amount: 10 }] });
  fireEvent.change(pickers[2] as HTMLSelectElement, { target: { value: "0" } });
  expect(readAlertStore().state().rules).toEqual({ s1: [enters] });
  expect(within(document.body).getByText("1 on")).toBeTruthy();
});
