/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { Workbook } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { checkPage } from "./access";
import { createGate } from "./gate";
import { openWholePane } from "./open-whole-pane";
import { ALWAYS, begin, companion, press, receive, said, serveSessions, session } from "./pane-sessions";
import { cellOf, countRankings, enter, enterTwo, queryTop } from "./refresh-page";

serveSessions();

describe("Refresh all", () => {
  it("connects an unconnected pane, refetches and reports the number", async () => {
    const { press: pressRibbon } = openWholePane(session);
    const entered = enterTwo();
    pressRibbon("refreshAll");
    await entered;
    await receive("2 formulas refreshed.");
    expect(session.state().status).toBe("connected");
  });

  it("reports that there is nothing to refresh", async () => {
    openWholePane(session).press("refreshAll");
    await receive("No cell asks for anything yet");
  });

  it("shows its progress beside a sentence that is announced once", async () => {
    const gate = createGate("/ranking/v1/companies", 2); // the cells'
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session);
    await session.connect();
    await enterTwo();
    pressRibbon("refreshAll");
    await gate.reached;
    await receive("Refreshing; cells show their values meanwhile.");
    const count = await screen.findByText("0 of 2 answers received · 2 requests");
    expect(count.getAttribute("aria-hidden")).toBe("true");
    const bar = screen.getByRole("progressbar", { name: "Answers received" });
    expect(bar.getAttribute("aria-valuenow")).toBeNull(); // indeterminate until the first answer
    await checkPage("region");
    gate.open();
    await receive("2 formulas refreshed.");
  });

  it("can be cancelled: new values stay, the others are as before", async () => {
    const gate = createGate("/ranking/v1/companies", 3);
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session);
    await session.connect();
    await enterTwo();
    const before = [queryTop(5), queryTop(6)].map((query) => session.feed.queryCache.peek(query));
    pressRibbon("refreshAll");
    await gate.reached;
    await screen.findByText(/^1 of 2 answers received/);
    const bar = screen.getByRole("progressbar", { name: "Answers received" });
    expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuemax")]).toEqual(["1", "2"]);
    press("Cancel");
    await receive("Cancelled after 1 of 2 answers; other cells keep their values. No cell changed.");
    const after = [queryTop(5), queryTop(6)].map((query) => session.feed.queryCache.peek(query));
    expect(after.map(({ status }) => status)).toEqual(["answered", "answered"]);
    expect(after.filter((state, index) => !isDeepStrictEqual(state, before[index]))).toHaveLength(1);
    gate.open();
  });

  it("joins a running refresh, and shows the progress of both", async () => {
    const gate = createGate("/ranking/v1/companies", 2);
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session, { cells: [cellOf("A1", 5)] });
    await session.connect();
    await enterTwo();
    pressRibbon("refreshSelection");
    await gate.reached;
    await screen.findByText("0 of 1 answer received · 1 request");
    pressRibbon("refreshAll");
    await screen.findByText(/^0 of 2 answers received/);
    gate.open();
    await receive("2 formulas refreshed.");
    expect(countRankings()).toBe(4);
  });

  it("on schedule shows a line below the tabs, and the menu can cancel it", async () => {
    const gate = createGate("/ranking/v1/companies", 1);
    begin(gate.ports);
    openWholePane(session);
    await session.connect();
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

  it("reports the number of changed cells, late ones too, and leads to them", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5, { shown: [[1]] });
    pressRibbon("refreshAll");
    await receive("1 formula refreshed. No cell changed.");
    Object.assign(session.calls.list()[0] as Call, { shown: [[2]] });
    session.calls.notify();
    await receive("1 formula refreshed. 1 cell changed.");
    press("What changed");
    expect(screen.getByRole("tab", { name: "Changes" }).getAttribute("aria-selected")).toBe("true");
    expect(said()).not.toContain("asked again");
  });

  it("over the request budget sends nothing, reports no failure, and starts once confirmed", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enterTwo();
    session.change({ requestLimit: 1 });
    pressRibbon("refreshAll");
    await receive("Nothing has been asked yet: confirm it above.");
    expect(said()).not.toMatch(/failed|asked again/);
    expect(countRankings()).toBe(2);
    fireEvent.click(await screen.findByRole("button", { name: "Send about 2 requests" }));
    await waitFor(() => expect(session.refreshing.state().last).toMatchObject({ refetched: 2, failures: [] }));
    expect(countRankings()).toBe(4);
    await waitFor(() => expect(said()).not.toContain("Nothing has been asked yet"));
  });

  it("explains failed queries and their remedy, and that cells keep their values", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enterTwo();
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    pressRibbon("refreshAll");
    await receive("1 of 2 formulas could not be refreshed; cells that had a value keep it: Sheet1!");
    expect(said()).toContain("What to do");
    expect(said()).toContain("FEED_SCOPE_MISSING");
  });

  it("sends nothing before the person knows that Excel calculates manually", async () => {
    const { press: pressRibbon } = openWholePane(session, { workbook: { isManual: async () => true } });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await receive("Excel calculates by hand only");
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
    const { press: pressRibbon } = openWholePane(session, { workbook: { isManual: async () => true, deliver } });
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await receive("Excel calculates by hand only");
    press("Deliver once");
    await receive("1 formula refreshed.");
    expect(delivered).toEqual(["automatic", "by hand, 2 asked"]);
    pressRibbon("refreshAll");
    await receive("Excel calculates by hand only");
    press("Deliver once");
    await receive("A cell is being edited.");
  });

  it("does not reconnect after the person disconnected, but offers it", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    session.disconnect();
    pressRibbon("refreshAll");
    await receive("Disconnected, so nothing can be refreshed.");
    expect(session.state().status).toBe("disconnected");
    press("Connect and refresh");
    await receive("1 formula refreshed.");
  });

  it("reports no success if the person disconnects meanwhile", async () => {
    const gate = createGate("/ranking/v1/companies", 1);
    begin(gate.ports);
    const { press: pressRibbon } = openWholePane(session);
    await enter("Sheet1!A1", 5);
    pressRibbon("refreshAll");
    await gate.reached;
    session.disconnect();
    gate.open();
    await waitFor(() => expect(said()).toMatch(/^Disconnected\. Cells keep/m));
  });

  it("leads to the reason it cannot connect", async () => {
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
    const { press: pressRibbon } = openWholePane(session);
    pressRibbon("refreshAll");
    await receive("Not connected, so nothing was refreshed. Settings show why.");
    press("Show settings");
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Settings" }));
  });
});
