/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import axe from "axe-core";
import { findTab, openSettings, openTab, openWholePane } from "./open-whole-pane";
import { openSessions, receive, said } from "./pane-sessions";

const opened = openSessions(20);

afterEach(() => waitFor(() => expect(isProbing()).toBe(false))); // a probe must not outlive its companion

const isProbing = () => Object.values(opened.session.access.state()).some(({ status }) => status === "asking");
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const heading = () => screen.getByRole("heading", { name: "Settings" });
const refuseTokens = () => {
  opened.companion.controls.answers.createToken = { status: 401, times: Number.POSITIVE_INFINITY };
};

describe("the settings", () => {
  it("open in the place of the tabs with focus on their heading, and return it", async () => {
    openWholePane(opened.session);
    await opened.session.connect();
    openSettings();
    expect(document.activeElement).toBe(heading());
    expect(screen.queryByRole("tablist")).toBeNull();
    for (const name of ["This workbook", "Diagnostics"]) expect(screen.getByRole("heading", { name })).toBeTruthy();
    await screen.findByText("all data");
    const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
    press("Back");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Menu" }));
    expect(findTab("Find").getAttribute("aria-selected")).toBe("true");
  });

  it("open from the state of the connection, and close when a command opens a tab", async () => {
    const { press: pressRibbon } = openWholePane(opened.session);
    await opened.session.connect();
    press("Connected · sample data");
    expect(document.activeElement).toBe(heading());
    pressRibbon("aboutCell");
    await waitFor(() => expect(findTab("This cell").getAttribute("aria-selected")).toBe("true"));
    expect(screen.queryByRole("heading", { name: "Settings" })).toBeNull();
  });

  it("give the focus to the tab if the button that opened them has gone", async () => {
    refuseTokens();
    openWholePane(opened.session);
    await opened.session.connect();
    const button = await screen.findByRole("button", { name: "Connect to sample data…" });
    button.focus();
    fireEvent.click(button);
    opened.companion.controls.reset();
    press("Connect");
    await receive(/^Connected$/m);
    press("Back");
    expect(document.activeElement).toBe(findTab("Find"));
  });
});

describe("without a connection", () => {
  it("each tab says so, and leads to the settings with the reason", async () => {
    refuseTokens();
    openWholePane(opened.session);
    await opened.session.connect();
    await receive("Not connected · sample data");
    for (const name of ["Find", "Build", "Sheets", "This cell", "Changes"]) {
      openTab(name);
      expect(
        screen.getByText("FEED is not connected. Cells keep their values; new ones come once it is."),
      ).toBeTruthy();
    }
    press("Connect to sample data…");
    expect(screen.getByText("Not connected. The step below tells why.")).toBeTruthy();
    expect(screen.getByText(/^FEED_TOKEN_REFUSED/)).toBeTruthy();
  });

  it("each tab says in Japanese that the person disconnected", async () => {
    openWholePane(opened.session, { language: "ja-JP" });
    await opened.session.connect();
    opened.session.disconnect();
    await screen.findByText("FEED は切断されています。セルの値はそのまま残り、新しい値は取得しません。");
    expect(screen.getByRole("button", { name: "サンプルデータに接続…" })).toBeTruthy();
    expect(said()).toContain("切断済み · サンプルデータ");
  });
});

describe("a browser that stores nothing", () => {
  it("is told above the tabs, with the remedy in the settings", async () => {
    const { persistedData } = opened.session.feed;
    persistedData.hindrance = () => "full";
    openWholePane(opened.session);
    await receive(
      /^This page keeps nothing \(storage is full\): values are asked for again when a workbook is opened\./m,
    );
    press("What to do");
    expect(screen.getByText(/free some space on this computer/)).toBeTruthy();
  });
});
