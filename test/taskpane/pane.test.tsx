/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react/pure";
import { persistLater } from "../../src/taskpane/host";
import { persistProvider } from "../../src/taskpane/index";
import { Boundary } from "../../src/taskpane/Pane";
import { Context, type PaneContext } from "../../src/taskpane/pane";
import { Confirm } from "../../src/taskpane/pane/Confirm";
import { watchSheets } from "../../src/taskpane/sheet-watch";
import { toTexts } from "../../src/taskpane/texts";
import { checkPage } from "./access";
import { toCell } from "./desk";
import { createFakeWorkbook } from "./fake-workbook";
import { openCompany } from "./find-page";
import { createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { enterFormula, openSettings, openTab, openWholePane, findTab as tab } from "./open-whole-pane";
import { ALWAYS, begin, companion, press, receive, said, serveSessions, session } from "./pane-sessions";
import { choose } from "./sheets-page";

const ENGLISH = ["Find", "Build", "Sheets", "This cell", "Changes"];
const BAKERY = "Sakura Bakery Co., Ltd.";
const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const OTHER = "https://api.example.com";

serveSessions();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => {}; // jsdom has no layout
});

const refuseTokens = () => {
  companion.controls.answers.createToken = { status: 401, times: ALWAYS };
};

/** Opens the pane as a new window, with the earlier ones' storage. */
function reopen() {
  cleanup();
  session.feed.queryCache.close();
  begin();
  openWholePane(session);
}

/** The tabs of the pane itself: a part may have its own. */
const tabs = () => within(screen.getByRole("tablist", { name: "FEED for Excel" }));
const listTabs = () => tabs().getAllByRole("tab");
const selectedTab = () => tabs().getByRole("tab", { selected: true });
const selected = () => selectedTab().textContent;

describe("the tabs", () => {
  it("start with Find, each with its panel", () => {
    openWholePane(session);
    expect(listTabs().map(({ textContent }) => textContent)).toEqual(ENGLISH);
    expect(selected()).toBe("Find");
    expect(screen.getByRole("tabpanel", { name: "Find" })).toBeTruthy();
    expect(screen.queryByRole("tabpanel", { name: "Build" })).toBeNull();
  });

  it("are operated by arrow keys, wrap around, and have one tab stop", () => {
    openWholePane(session);
    tab("Find").focus();
    const path = ["ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"].map((key) => {
      fireEvent.keyDown(document.activeElement as Element, { key });
      return document.activeElement?.textContent;
    });
    expect(path).toEqual(["Build", "Changes", "Find", "Changes", "Find"]);
    expect(selected()).toBe("Find");
    expect(listTabs().filter(({ tabIndex }) => tabIndex === 0)).toEqual([selectedTab()]);
  });

  it.each([
    ["en-US", ENGLISH],
    ["ja-JP", ["検索", "作成", "シート", "このセル", "変更"]],
  ])("are accessible: %s", async (language, names) => {
    openWholePane(session, { language });
    for (const name of names) {
      openTab(name);
      expect(screen.getByRole("tabpanel", { name })).toBeTruthy();
      await checkPage("region");
    }
  });
});

describe("the selected tab", () => {
  it("has the focus where the element that had it opened another one", async () => {
    openWholePane(session);
    openTab("Changes");
    const build = await screen.findByRole("button", { name: "Build a formula" });
    build.focus();
    fireEvent.click(build);
    expect(document.activeElement).toBe(tab("Build"));
  });

  it("is the last one used, with or without a connection", async () => {
    openWholePane(session);
    openTab("Sheets");
    refuseTokens();
    reopen();
    expect(selected()).toBe("Sheets");
    await session.connect();
    await screen.findByRole("button", { name: "Not connected · sample data" });
    expect(selected()).toBe("Sheets");
  });

  it("is Find if the browser stores nothing", async () => {
    const storage = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    localStorage.setItem("feed.part", "sheets");
    begin({ ...createHurriedPorts(), storage });
    openWholePane(session);
    expect(selected()).toBe("Find");
    openTab("Build");
    expect(selected()).toBe("Build");
    await session.connect();
    expect(session.state().status).toBe("connected");
  });

  it.each(["nowhere", "", "__proto__", "settings"])("is Find if %j was stored", (stored) => {
    localStorage.setItem("feed.part", stored);
    openWholePane(session);
    expect(selected()).toBe("Find");
  });
});

describe("a notice", () => {
  it("appears in one live region, and disappears when closed", async () => {
    const { press: pressRibbon } = openWholePane(session);
    const place = screen.getAllByRole("status").find(({ textContent }) => textContent === "") as HTMLElement;
    pressRibbon("freeze");
    await waitFor(() => expect(place.textContent).toContain("This workbook holds no FEED formula to freeze."));
    press("Close");
    expect(place.textContent).toBe("");
  });

  it("with a question ends when its tab is left", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [toCell("A1")] });
    pressRibbon("freeze");
    await screen.findByRole("button", { name: "Freeze 1 FEED formula in the selection" });
    openTab("Changes");
    expect(screen.queryByRole("button", { name: "Freeze 1 FEED formula in the selection" })).toBeNull();
  });

  it.each([
    ["its previous place", "Menu"],
    ["the selected tab if nothing had it", null],
  ])("returns focus to %s", async (_, name) => {
    const { press: pressRibbon } = openWholePane(session);
    const before = name === null ? tab("Find") : screen.getByRole("button", { name });
    if (name !== null) before.focus();
    pressRibbon("freeze");
    const close = await screen.findByRole("button", { name: "Close" });
    close.focus();
    fireEvent.click(close);
    expect(document.activeElement).toBe(before);
  });
});

it("a held Enter presses no button, as one that confirms and has just taken the focus", () => {
  openWholePane(session);
  const menu = screen.getByRole("button", { name: "Menu" });
  expect(fireEvent.keyDown(menu, { key: "Enter", repeat: true })).toBe(false);
  expect(fireEvent.keyDown(menu, { key: "Enter" })).toBe(true);
});

it("a broken part of the pane shows an error in its own place, leaves the rest, and recovers on retry", () => {
  const logged = jest.spyOn(console, "error").mockImplementation(() => {}); // where React reports to developers
  let isBroken = true;
  const Fragile = () => {
    if (isBroken) throw new Error("broken");
    return <p>whole</p>;
  };
  render(
    <Context value={{ texts: toTexts("en-US") } as PaneContext}>
      <Boundary name="Find">
        <Fragile />
      </Boundary>
      <p>other</p>
    </Context>,
  );
  expect(screen.getByRole("alert").textContent).toContain("Find has stopped because of an error in the add-in.");
  expect(screen.getByText("other")).toBeTruthy();
  isBroken = false;
  press("Try again");
  expect(screen.getByText("whole")).toBeTruthy();
  logged.mockRestore();
});

it("the sheets are followed without a notice meanwhile: a part begins it while it is rendered", async () => {
  const told: unknown[] = [];
  session.subscribe(() => told.push(session.placement.current));
  watchSheets({ session, workbook: createFakeWorkbook() });
  expect(told).toEqual([]);
  await waitFor(() => expect(told.at(-1)).toBe(session.placement.current));
  expect(session.placement.current).not.toBeNull();
});

it("sample data is marked on every tab and in the settings", async () => {
  openWholePane(session);
  await session.connect();
  for (const name of ENGLISH) {
    openTab(name);
    expect(screen.getByRole("button", { name: "Connected · sample data" })).toBeTruthy();
  }
  openSettings();
  expect(screen.getByRole("button", { name: "Connected · sample data" })).toBeTruthy();
});

const heading = () => screen.getByRole("heading", { name: "Settings" });

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
    expect(tab("Find").getAttribute("aria-selected")).toBe("true");
  });

  it("open from the state of the connection, and close when a command opens a tab", async () => {
    const { press: pressRibbon } = openWholePane(session);
    await session.connect();
    press("Connected · sample data");
    expect(document.activeElement).toBe(heading());
    pressRibbon("aboutCell");
    await waitFor(() => expect(tab("This cell").getAttribute("aria-selected")).toBe("true"));
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
    await receive(/^✓Connected/m);
    press("Back");
    expect(document.activeElement).toBe(tab("Find"));
  });
});

describe("without a connection", () => {
  it("each tab says so, and leads to the settings with the reason", async () => {
    refuseTokens();
    openWholePane(session);
    await session.connect();
    await receive("Not connected · sample data");
    for (const name of ENGLISH) {
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

it("a browser that stores nothing is told above the tabs, with the remedy in the settings", async () => {
  const { persistedData } = session.feed;
  persistedData.hindrance = () => "full";
  openWholePane(session);
  await receive(
    /^This page keeps nothing \(storage is full\): values are asked for again when a workbook is opened\./m,
  );
  press("What to do");
  expect(screen.getByText(/free some space on this computer/)).toBeTruthy();
});

it("About this cell shows the provenance of the selected cell each time About this cell is pressed", async () => {
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

const unit = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Unit" });

it("a part that receives a company keeps the sheet drafts written before", async () => {
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

const countRankings = () => companion.controls.count("rankCompanies");
const enter = (tops: number[]) =>
  act(async () => {
    for (const top of tops)
      enterFormula(session, `Sheet1!A${top}`, session.feed.rankings.queryCompanies(RANGE, top), {});
  });
const findButton = (name: string) => screen.findByRole("button", { name });

it("a request over the budget is shown with its cost, shrinks to one line when declined, and is sent when confirmed", async () => {
  session.change({ requestLimit: 3 });
  openPart(session, <Confirm />);
  expect(screen.queryByText(/requests/)).toBeNull();
  await enter([1, 2, 3, 4]);
  const send = await findButton("Send about 4 requests");
  const place = send.closest<HTMLElement>("[role=status]");
  expect(place?.textContent).toContain("takes about 4 requests. More than 3 are sent only when you confirm them");
  await checkPage("page-has-heading-one");
  press("Not now");
  expect(
    await screen.findByText("About 4 requests wait for you. Their cells show #N/A, or the values of before."),
  ).toBeTruthy();
  await checkPage("page-has-heading-one");
  expect(countRankings()).toBe(0);
  press("Decide");
  press("Send about 4 requests");
  await waitFor(() => expect(countRankings()).toBe(4));
  expect(within(place as HTMLElement).queryByRole("button")).toBeNull();
});

it("a workbook with another provider's values is filled when the person confirms this provider, which the workbook stores", async () => {
  session.adopt({ provider: OTHER });
  const stored: object[] = [];
  session.subscribe(persistProvider(session, async (settings) => void stored.push(settings), persistLater));
  openPart(session, <Confirm />);
  await enter([1]);
  const use = await findButton("Use sample data for this workbook");
  expect(use.closest("[role=status]")?.textContent).toMatch(
    /^The figures of this workbook are from api\.example\.com, and the pane is connected to sample data\./,
  );
  await checkPage("page-has-heading-one");
  press("Leave it");
  expect(
    await screen.findByText("FEED cells show #N/A, since the figures of this workbook are from api.example.com."),
  ).toBeTruthy();
  expect([countRankings(), stored]).toEqual([0, []]);
  press("Decide");
  press("Use sample data for this workbook");
  await waitFor(() => expect(countRankings()).toBe(1));
  expect(stored).toEqual([{ provider: "sample" }]);
  expect(screen.queryByRole("button")).toBeNull();
});
