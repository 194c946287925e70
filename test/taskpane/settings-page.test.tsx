/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { checkPage } from "./access";
import { openCompany } from "./find-page";
import { findTab, openSettings, openTab, openWholePane } from "./open-whole-pane";
import { ALWAYS, companion, press, receive, said, serveSessions, session } from "./pane-sessions";

const BAKERY = "Sakura Bakery Co., Ltd.";

serveSessions();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => {}; // jsdom has no layout
});

const heading = () => screen.getByRole("heading", { name: "Settings" });
const refuseTokens = () => {
  companion.controls.answers.createToken = { status: 401, times: ALWAYS };
};

describe("the settings", () => {
  it("open in the place of the tabs with focus on their heading, and return it", async () => {
    openWholePane(session);
    await session.connect();
    openSettings();
    expect(document.activeElement).toBe(heading());
    expect(screen.queryByRole("tablist")).toBeNull();
    for (const name of ["This workbook", "Diagnostics"]) expect(screen.getByRole("heading", { name })).toBeTruthy();
    await screen.findByText("all data");
    await checkPage("region");
    press("Back");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Menu" }));
    expect(findTab("Find").getAttribute("aria-selected")).toBe("true");
  });

  it("open from the state of the connection, and close when a command opens a tab", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await session.connect();
    press("Connected · sample data");
    expect(document.activeElement).toBe(heading());
    pressRibbon("aboutCell");
    await waitFor(() => expect(findTab("This cell").getAttribute("aria-selected")).toBe("true"));
    expect(screen.queryByRole("heading", { name: "Settings" })).toBeNull();
  });

  it("give the focus to the tab if the button that opened them has gone", async () => {
    refuseTokens();
    openWholePane(session);
    await session.connect();
    const button = await screen.findByRole("button", { name: "Connect to sample data…" });
    button.focus();
    fireEvent.click(button);
    companion.controls.reset();
    press("Connect");
    await receive(/^Connected$/m);
    press("Back");
    expect(document.activeElement).toBe(findTab("Find"));
  });
});

describe("without a connection", () => {
  it("each tab says so, and leads to the settings with the reason", async () => {
    refuseTokens();
    openWholePane(session);
    await session.connect();
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
    openWholePane(session, { language: "ja-JP" });
    await session.connect();
    session.disconnect();
    await screen.findByText("FEED は切断されています。セルの値はそのまま残り、新しい値は取得しません。");
    expect(screen.getByRole("button", { name: "サンプルデータに接続…" })).toBeTruthy();
    expect(said()).toContain("切断済み · サンプルデータ");
  });
});

describe("a browser that stores nothing", () => {
  it("is told above the tabs, with the remedy in the settings", async () => {
    const { persistedData } = session.feed;
    persistedData.hindrance = () => "full";
    openWholePane(session);
    await receive(
      /^This page keeps nothing \(storage is full\): values are asked for again when a workbook is opened\./m,
    );
    press("What to do");
    expect(screen.getByText(/free some space on this computer/)).toBeTruthy();
  });
});

describe("About this cell", () => {
  it("shows the provenance of the selected cell each time About this cell is pressed", async () => {
    const { press } = openWholePane(session);
    press("aboutCell");
    const region = await screen.findByRole("region", { name: /^Selected cell/ });
    await waitFor(() => expect(document.activeElement).toBe(region));
    const build = screen.getByRole("tab", { name: "Build" });
    build.focus();
    fireEvent.click(build);
    press("aboutCell");
    await waitFor(() => expect(document.activeElement).toBe(region));
    expect(screen.getByRole("tab", { name: "This cell", selected: true })).toBeTruthy();
  });
});

const choose = (template: string) => fireEvent.click(screen.getByRole("radio", { name: new RegExp(`^${template}`) }));
const unit = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Unit" });

describe("a part that receives a company", () => {
  it("keeps the sheet drafts written before", async () => {
    await session.connect();
    openWholePane(session);
    openTab("Sheets");
    choose("Comparison");
    fireEvent.change(unit(), { target: { value: "bn" } });
    choose("Statement");
    fireEvent.change(unit(), { target: { value: "k" } });
    choose("Ranking");
    openTab("Find");
    await openCompany("sakura bakery", BAKERY);
    press("Statement sheet…");
    expect(screen.getByRole("tabpanel", { name: "Sheets" }).textContent).toContain(BAKERY);
    expect(unit().value).toBe("k");
    choose("Comparison");
    expect(unit().value).toBe("bn");
  });
});
