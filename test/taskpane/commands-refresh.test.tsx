/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */

import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { ArgumentError, NoValueError } from "../../src/client/errors";
import type { Block, FeedCell, FrozenCell, Place, Workbook } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { checkPage } from "./access";
import { toCell } from "./desk";
import { createGate, createHurriedPorts } from "./gate";
import { enterFormula, openAndRun, openWholePane } from "./open-whole-pane";
import { ALWAYS, begin, companion, press, receive, said, serveSessions, session } from "./pane-sessions";

const DAY_MS = 24 * 60 * 60_000;
const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

const queryTop = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);

/** Subscribes a cell to a number of ranking rows, until they are here or have failed. */
const enter = (address: string, top: number, more: Partial<Call> = {}) =>
  enterFormula(session, address, queryTop(top), { given: { start: "2024-01-01", end: "2024-01-31", top }, ...more });

/** Subscribes two cells, each to rows of its own. */
const enterTwo = (more?: Partial<Call>) => Promise.all([enter("Sheet1!A1", 5, more), enter("Sheet1!B1", 6, more)]);

/** A cell with a number of ranking rows. */
const cellOf = (address: string, top: number): FeedCell => ({
  ...toCell(address),
  formula: `=FEED.RANKING("2024-01-01","2024-01-31",${top})`,
});

/** Without other requests, which have another range. */
const listRankings = () =>
  companion.controls.requests.map(({ url }) => url).filter((url) => url.includes("2024-01-31"));

const countRankings = () => listRankings().length;
const leaves = (text: RegExp) => waitFor(() => expect(said()).not.toMatch(text));

serveSessions();

/** Opens a connected pane, whose requests for rankings are delayed after some. */
async function openGated(free: number, whole?: Parameters<typeof openWholePane>[1]) {
  const gate = createGate("/ranking/v1/companies", free);
  begin(gate.ports);
  const opened = openWholePane(session, whole);
  await session.connect();
  return { gate, ...opened };
}

describe("Refresh all", () => {
  it("connects an unconnected pane, refetches and reports the number", async () => {
    const { press: pressRibbon } = openWholePane(session);
    const entered = enterTwo();
    pressRibbon("refreshAll");
    await entered;
    await receive("2 formulas refreshed.");
    expect(session.state().status).toBe("connected");
  });

  it("counts each formula once, as Changes does: those that ask nothing, and those to correct apart", async () => {
    const { run } = openWholePane(session);
    await enterTwo({ shown: [[1]] });
    void enterFormula(session, "Sheet1!C1", queryTop(5), { given: {}, queries: [], shown: [[1]] });
    const error = new NoValueError("FEED_NO_VALUE", "no metric");
    void enterFormula(session, "Sheet1!D1", queryTop(5), { error, shown: { code: "#N/A" } });
    await run("refreshAll", "3 formulas refreshed.");
    expect(said()).toContain("1 formula needs your attention.");
    fireEvent.click(screen.getByRole("tab", { name: "Changes" }));
    await screen.findByText("4 formulas: 3 answered, 1 to correct.");
    expect(screen.queryByRole("button", { name: /^Refresh \d+ failed/ })).toBeNull();
  });

  it("reports that there is nothing to refresh", async () => {
    await openAndRun("refreshAll", "No cell asks for anything yet");
  });

  it("shows its progress beside a sentence that is announced once", async () => {
    const { gate, press: pressRibbon } = await openGated(2);
    await enterTwo();
    pressRibbon("refreshAll");
    await gate.reached;
    await receive("Refreshing; cells show their values meanwhile.");
    const count = await screen.findByText("0% · 2 requests");
    expect(count.getAttribute("aria-hidden")).toBe("true");
    const bar = screen.getByRole("progressbar", { name: "Progress" });
    expect(bar.hasAttribute("value")).toBe(false); // indeterminate until the first answer
    await checkPage("region");
    gate.open();
    await receive("2 formulas refreshed.");
  });

  it("can be cancelled: new values stay, the others are as before", async () => {
    const { gate, press: pressRibbon } = await openGated(3);
    await enterTwo();
    const before = [queryTop(5), queryTop(6)].map((query) => session.feed.queryCache.peek(query));
    pressRibbon("refreshAll");
    await gate.reached;
    await screen.findByText(/^50% · /);
    const bar = screen.getByRole("progressbar", { name: "Progress" });
    expect([bar.getAttribute("value"), bar.getAttribute("max")]).toEqual(["1", "2"]);
    press("Cancel");
    await receive("Cancelled; cells without a new value keep theirs. No cell changed.");
    const after = [queryTop(5), queryTop(6)].map((query) => session.feed.queryCache.peek(query));
    expect(after.map(({ status }) => status)).toEqual(["answered", "answered"]);
    expect(after.filter((state, index) => !isDeepStrictEqual(state, before[index]))).toHaveLength(1);
    gate.open();
  });

  it("joins a running refresh, and shows the progress of both", async () => {
    const { gate, press: pressRibbon } = await openGated(2, { cells: [cellOf("A1", 5)] });
    await enterTwo();
    pressRibbon("refreshSelection");
    await gate.reached;
    await screen.findByText("0% · 1 request");
    pressRibbon("refreshAll");
    await screen.findByText(/^0% · 2 requests/);
    gate.open();
    await receive("2 formulas refreshed.");
    expect(countRankings()).toBe(4);
  });

  it("on schedule shows a line below the tabs, and the menu can cancel it", async () => {
    const { gate } = await openGated(1);
    await enter("Sheet1!A1", 5);
    const refreshed = session.refresh();
    await gate.reached;
    await screen.findByRole("progressbar", { name: "Refreshing: 0%" });
    expect(screen.queryByText(/Asking again/)).toBeNull();
    press("Menu");
    press("Cancel refresh");
    expect((await refreshed).isCancelled).toBe(true);
    await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
    press("Menu");
    expect(screen.queryByRole("button", { name: "Cancel refresh" })).toBeNull();
    gate.open();
  });

  it("reports the number of changed cells, late ones too, leads to them, and says nothing once undone", async () => {
    const { run } = openWholePane(session);
    await enter("Sheet1!A1", 5, { shown: [[1]] });
    await run("refreshAll", "1 formula refreshed. No cell changed.");
    Object.assign(session.calls.list()[0] as Call, { shown: [[2]] });
    session.calls.notify();
    await receive("1 formula refreshed. 1 cell changed.");
    press("What changed");
    expect(screen.getByRole("tab", { name: "Changes" }).getAttribute("aria-selected")).toBe("true");
    expect(said()).not.toContain("asked again");
    fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await leaves(/1 formula refreshed/);
  });

  it("over the request budget sends nothing, reports no failure, and starts once confirmed", async () => {
    const { run } = openWholePane(session);
    await enterTwo();
    session.change({ requestLimit: 1 });
    await run("refreshAll", "Nothing has been asked yet: confirm it above.");
    expect(said()).not.toMatch(/failed|asked again/);
    expect(countRankings()).toBe(2);
    fireEvent.click(await screen.findByRole("button", { name: "Send about 2 requests" }));
    await waitFor(() => expect(session.refreshing.state().last).toMatchObject({ refetched: 2, failures: [] }));
    expect(countRankings()).toBe(4);
    await waitFor(() => expect(said()).not.toContain("Nothing has been asked yet"));
  });

  it("sends nothing before the person knows that Excel calculates manually", async () => {
    const { run } = openWholePane(session, { workbook: { isManual: async () => true } });
    await enter("Sheet1!A1", 5);
    await run("refreshAll", "Excel calculates by hand only");
    expect(countRankings()).toBe(1);
    press("Refresh anyway");
    await receive("1 formula refreshed.");
    expect(countRankings()).toBe(2);
  });

  it("delivers once to a manually calculated workbook, and explains a failure", async () => {
    const delivered: string[] = [];
    const deliver: Workbook["deliver"] = async (push) => {
      delivered.push("automatic");
      const pushed = await push();
      delivered.push(`by hand, ${countRankings()} asked`);
      if (delivered.length > 2) throw Object.assign(new Error("busy"), { fault: "editing" });
      return pushed;
    };
    const { run } = openWholePane(session, { workbook: { isManual: async () => true, deliver } });
    await enter("Sheet1!A1", 5);
    await run("refreshAll", "Excel calculates by hand only");
    press("Deliver once");
    await receive("1 formula refreshed.");
    expect(delivered).toEqual(["automatic", "by hand, 2 asked"]);
    await run("refreshAll", "Excel calculates by hand only");
    press("Deliver once");
    await receive("A cell is being edited.");
  });

  it("does not reconnect after the person disconnected, but offers it", async () => {
    const { run } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    session.disconnect();
    await run("refreshAll", "Disconnected, so nothing can be refreshed.");
    expect(session.state().status).toBe("disconnected");
    press("Connect and refresh");
    await receive("1 formula refreshed.");
  });

  it("reports no success if the person disconnects meanwhile", async () => {
    const { gate, press: pressRibbon } = await openGated(1);
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await gate.reached;
    session.disconnect();
    gate.open();
    await waitFor(() => expect(said()).toMatch(/^Disconnected\. Cells keep/m));
  });

  it("leads to the reason it cannot connect, and no longer tells of it once it can", async () => {
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    const { run } = openWholePane(session);
    const missing = "Not connected, so nothing was refreshed. Settings show why.";
    await run("refreshAll", missing);
    press("Show settings");
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Settings" }));
    await run("refreshAll", missing);
    companion.controls.reset();
    await session.connect();
    await leaves(/nothing was refreshed/);
  });
});

describe("Refresh selection", () => {
  it("refetches the selected cells alone, wherever they have moved", async () => {
    const { run } = openWholePane(session, { cells: [cellOf("A9", 5)] });
    await Promise.all([enter("Sheet1!A1", 5), enter("Sheet1!A9", 6)]);
    await run("refreshSelection", "1 formula refreshed.");
    expect(countRankings()).toBe(3);
    expect(listRankings().at(-1)).toContain("page_size=5");
  });

  it("reports the number of cells with unknown formulas", async () => {
    const { run } = openWholePane(session, { cells: [cellOf("A1", 5), cellOf("A2", 7), cellOf("A3", 8)] });
    await enter("Sheet1!A1", 5);
    await run("refreshSelection", "1 formula refreshed. Of 2 cells it is not known which live formulas they hold;");
  });

  it("offers a refresh of everything if no selected formula is known", async () => {
    const { run } = openWholePane(session, { cells: [cellOf("A1", 7)] });
    await enter("Sheet1!A1", 5);
    await run("refreshSelection", "It is not known which live formulas 1 cell hold");
    expect(countRankings()).toBe(1);
    const notice = within(screen.getByText(/^It is not known which/).closest("[role=status]") as HTMLElement);
    const offers = notice.getAllByRole("button").map(({ textContent }) => textContent);
    expect(offers).toEqual(["✕", "Refresh all"]);
    fireEvent.click(notice.getByRole("button", { name: "Refresh all" }));
    await receive("1 formula refreshed.");
  });

  it("reports a selection without our formulas or queries", async () => {
    await openAndRun("refreshSelection", "The selection holds no FEED formula.");
    cleanup();
    const status = { name: "STATUS", given: { what: null }, queries: [] };
    void enterFormula(session, "Sheet1!A1", queryTop(5), status);
    const cells = [{ ...toCell("A1"), formula: "=FEED.STATUS()" }];
    await openAndRun("refreshSelection", "This FEED formula needs nothing of the provider", { cells });
    press("Show formulas");
    expect(screen.getByRole("tab", { name: "Changes" }).getAttribute("aria-selected")).toBe("true");
  });

  it("shows that it is searching if that takes long", async () => {
    let found: (cells: FeedCell[]) => void = () => {};
    const listFeedCells = () => new Promise<FeedCell[]>((resolve) => (found = resolve));
    await openAndRun("refreshSelection", "Looking for FEED formulas…", { workbook: { listFeedCells } });
    found([]);
    await receive("The selection holds no FEED formula.");
  });
});

describe("Refresh with a scope", () => {
  const ask = (opened: ReturnType<typeof openWholePane>) => opened.run("refresh", "What shall be refreshed?");
  const listScopes = () => screen.getAllByRole("button", { name: /^Refresh \d/ }).map(({ textContent }) => textContent);

  it("shows what each scope that holds more would refresh, reads each once, and returns the focus after Escape", async () => {
    const selected = [cellOf("A1", 5)];
    const scopes: string[] = [];
    const listFeedCells: Workbook["listFeedCells"] = async (scope) => {
      scopes.push(scope);
      return scope === "selection" ? selected : [...selected, cellOf("B1", 6)];
    };
    const opened = openWholePane(session, { workbook: { listFeedCells } });
    await enterTwo();
    screen.getByRole("button", { name: "Menu" }).focus();
    scopes.length = 0;
    await ask(opened);
    expect(scopes).toEqual(["selection", "sheet", "workbook"]);
    const all = ["1 FEED formula in the selection", "2 FEED formulas on this sheet"];
    expect(listScopes()).toEqual(all.map((each) => `Refresh ${each}`));
    await checkPage("region");
    const first = screen.getByRole("button", { name: /in the selection$/ });
    first.focus();
    fireEvent.keyDown(first, { key: "Escape" });
    expect(screen.queryByRole("button", { name: /in the selection$/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Menu" }));
    await ask(opened);
    press("Refresh 1 FEED formula in the selection");
    await receive("1 formula refreshed.");
    expect(listRankings().slice(2)).toEqual([expect.stringContaining("page_size=5")]);
  });

  it("refreshes at once where all hold the same", async () => {
    const opened = openWholePane(session, { cells: [cellOf("A1", 5), cellOf("B1", 6)] });
    await enterTwo();
    await opened.run("refresh", "2 formulas refreshed.");
    expect(countRankings()).toBe(4);
  });

  it("says that a workbook holds nothing", () => openAndRun("refresh", "No cell asks for anything yet"));

  it("refetches answers older than the workbook's policy and those that failed last", async () => {
    let nowMs = Date.now();
    begin({ ...createHurriedPorts(), nowMs: () => nowMs });
    const opened = openWholePane(session, { cells: [cellOf("A1", 5), cellOf("B1", 6)] });
    const refreshStale = async () => {
      await ask(opened);
      press("Refresh 1 FEED formula with stale values");
      await receive("1 formula refreshed.");
    };
    await enter("Sheet1!A1", 5);
    nowMs += 100 * DAY_MS; // past periods are fresh for 90
    await enter("Sheet1!B1", 6);
    await refreshStale();
    expect(listRankings().at(-1)).toContain("page_size=5");
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    await opened.run("refreshAll", "1 of 2 formulas could not be refreshed");
    const before = countRankings();
    await refreshStale();
    expect(countRankings()).toBe(before + 1);
  });
});

describe("a notice", () => {
  it("of a refresh leaves when another one begins by itself", async () => {
    const { run } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    await run("refreshAll", "1 formula refreshed.");
    await session.refresh();
    await leaves(/1 formula refreshed/);
  });

  it("of frozen formulas leaves when formulas are back", async () => {
    const cells: FeedCell[] = [toCell("A1"), toCell("A2")];
    await openAndRun("freeze", "in the place of FEED formulas", { cells });
    press(/^Freeze 2 FEED formulas in the sel/);
    await receive("2 formulas are values now.");
    void enterFormula(session, "Sheet1!A1", queryTop(5));
    await leaves(/are values now/);
  });
});

const toLeft = (address: string, label: string, filled = address): FrozenCell => {
  return { ...toCell(address), filled, label, isAsFrozen: false };
};

it("the notice of values that stay frozen lists each formula with its label, and enters it in the selected cell", async () => {
  const cells = ["Sakura", "Fuji"].map((label, row) => toLeft(`B${row + 2}`, label));
  const back: string[] = [];
  const write = async ({ forgets }: Block) => {
    back.push(String(forgets?.address));
    return { sheet: "Sheet1", address: "A1" };
  };
  const shown: unknown[] = [];
  const show = async (place: Place) => void shown.push(place.address);
  await openAndRun("thaw", "2 values are left", {
    workbook: { listFrozen: async () => cells, write, show },
  });
  const lines = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  const toLine = (row: number, label: string) => `Sheet1!B${row} ${label}=FEED.RANKING("-7d")Put back here`;
  expect(lines()).toEqual([toLine(2, "Sakura"), toLine(3, "Fuji")]);
  fireEvent.click(screen.getByRole("button", { name: "Sheet1!B3" }));
  const last = screen.getAllByRole("button", { name: /^Put back here: / })[1] as HTMLElement;
  last.focus();
  fireEvent.click(last);
  await waitFor(() => expect(lines()).toEqual([toLine(2, "Sakura")]));
  await waitFor(() => expect(document.activeElement?.closest("li")?.textContent).toBe(toLine(2, "Sakura")));
  expect([back, shown]).toEqual([["B3"], ["B3"]]);
});

it("thawing lists the frozen cells first, so that a person sees them before an answer", async () => {
  const cells = [{ ...toLeft("B2", ""), isAsFrozen: true }, toLeft("B3", "Fuji")];
  await openAndRun("thaw", "Put FEED formulas back", { workbook: { listFrozen: async () => cells } });
  expect(said()).toMatch(/press Put back here\. The whole workbook has 2 frozen cells:/);
  const lines = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(lines).toEqual(['Sheet1!B3 Fuji=FEED.RANKING("-7d")Put back here', 'Sheet1!B2 =FEED.RANKING("-7d")']);
});

it("a table is put back over other cells after a question alone", async () => {
  const cells = [toLeft("B2", "Sakura", "B2:C3")];
  const asked: unknown[] = [];
  const place = { sheet: "Sheet1", address: "H2:I3" };
  const write = async ({ at, isReplacing }: Block) => {
    asked.push(at?.address);
    if (!isReplacing) throw Object.assign(new Error("filled"), { fault: "occupied", place });
    return place;
  };
  await openAndRun("thaw", "1 value is left", { workbook: { listFrozen: async () => cells, write } });
  press(/^Put back here: /);
  expect((await screen.findByText(/^Sheet1!H2:I3/)).textContent).toMatch(/Replace$/);
  press("Replace");
  await waitFor(() => expect(screen.queryByRole("listitem")).toBeNull());
  expect(asked).toEqual(["A1", "H2:I3"]);
});

it("a refresh's result names the cells that failed and their remedy, leads there, and counts no formula to correct among them", async () => {
  const { fake, run } = openWholePane(session, { cells: [cellOf("A1", 5), cellOf("B7", 6)] });
  await enterTwo({ shown: [[1]] });
  const error = new ArgumentError("start is missing");
  const shown = { code: "#VALUE!" };
  void enterFormula(session, "Sheet1!C1", queryTop(5), { given: {}, queries: [], error, shown });
  companion.controls.answers.rankCompanies = { status: 403, times: 2 };
  const answer = "2 of 2 formulas could not be refreshed; cells that had a value keep it: Sheet1!A1, Sheet1!B7";
  await run("refreshAll", answer);
  for (const text of ["1 formula needs your attention.", "What to do", "FEED_SCOPE_MISSING"])
    expect(said()).toContain(text);
  fake.cells.set("Sheet1!B7", { formula: cellOf("B7", 6).formula });
  press("Sheet1!B7");
  await waitFor(async () => expect(await fake.readSelection()).toMatchObject({ address: "B7" }));
});

describe("Help", () => {
  it("leads to the page of the selected formula, in the person's language", async () => {
    session.formulas.offer({ RANKING: () => {} });
    const { fake, press: pressRibbon } = openWholePane(session, { language: "ja-JP" });
    fake.cells.set("Sheet1!A1", { formula: '=FEED.RANKNG(A1)+FEED.RANKING("-7d")' });
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "FEED.RANKING のヘルプを開く" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/ja\/RANKING\.html$/);
    expect(link.getAttribute("target")).toBe("_blank");
  });

  it("leads to the list of all formulas if the workbook cannot be read", async () => {
    const { fake, press: pressRibbon } = openWholePane(session);
    fake.refuse("editing");
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "Open the list of all formulas" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/index\.html$/);
  });
});

it("the pane's own buttons equal the ribbon's, have Thaw beside Freeze, and return focus, after Escape too", async () => {
  openWholePane(session);
  const menu = screen.getByRole("button", { name: "Menu" });
  expect(menu.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(menu);
  expect(menu.getAttribute("aria-expanded")).toBe("true");
  await checkPage("region");
  const freeze = screen.getByRole("button", { name: "Freeze to values…" });
  const group = [...(freeze.parentElement?.children ?? [])];
  expect(group.indexOf(freeze) % 2).toBe(0); // the first of two columns
  expect(freeze.nextElementSibling?.textContent).toBe("Thaw…");
  const first = screen.getByRole("group", { name: "Menu" }).querySelector("button") as HTMLElement;
  first.focus();
  fireEvent.keyDown(first, { key: "Escape" });
  expect(screen.queryByRole("group", { name: "Menu" })).toBeNull();
  expect(document.activeElement).toBe(menu);
  fireEvent.click(menu);
  press("Repair formulas");
  expect(document.activeElement).toBe(menu);
  expect(screen.queryByRole("group", { name: "Menu" })).toBeNull();
  await receive("No FEED formula in this workbook needs repair");
});
