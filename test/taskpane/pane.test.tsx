/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it, jest } from "@jest/globals";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react/pure";
import { Boundary } from "../../src/taskpane/Pane";
import { toTexts } from "../../src/taskpane/texts";
import { checkPage } from "./access";
import { createHurriedPorts } from "./gate";
import { openSettings, openTab, openWholePane, findTab as tab, toCell } from "./open-whole-pane";
import { ALWAYS, begin, companion, press, serveSessions, session } from "./pane-sessions";

const ENGLISH = ["Find", "Build", "Sheets", "This cell", "Changes"];

serveSessions();

/** Opens the pane as a new window, with the earlier ones' storage. */
function reopen() {
  cleanup();
  session.feed.queryCache.close();
  begin();
  openWholePane(session);
}

/** The tabs of the pane itself: a part may have its own. */
const tabs = () => within(screen.getByRole("tablist", { name: "FEED for Excel" }));
const selectedTab = () => tabs().getByRole("tab", { selected: true });
const selected = () => selectedTab().textContent;

describe("the tabs", () => {
  it("start with Find, each with its panel", () => {
    openWholePane(session);
    expect(
      tabs()
        .getAllByRole("tab")
        .map(({ textContent }) => textContent),
    ).toEqual(ENGLISH);
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
    expect(
      tabs()
        .getAllByRole("tab")
        .filter(({ tabIndex }) => tabIndex === 0),
    ).toEqual([selectedTab()]);
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
  it("is the last one used, with or without a connection", async () => {
    openWholePane(session);
    openTab("Sheets");
    companion.controls.answers.createToken = { status: 401, times: ALWAYS };
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
    begin({ ...createHurriedPorts(), storage });
    openWholePane(session);
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
    pressRibbon("freezeSheet");
    await waitFor(() => expect(place.textContent).toContain("This sheet holds no FEED formula to freeze."));
    press("Close");
    expect(place.textContent).toBe("");
  });

  it("with a question ends when its tab is left", async () => {
    const { press: pressRibbon } = openWholePane(session, { cells: [toCell("A1")] });
    pressRibbon("freezeSheet");
    await screen.findByRole("button", { name: "Freeze 1 FEED formula" });
    openTab("Changes");
    expect(screen.queryByRole("button", { name: "Freeze 1 FEED formula" })).toBeNull();
  });

  it("returns focus to its previous place", async () => {
    const { press: pressRibbon } = openWholePane(session);
    const menu = screen.getByRole("button", { name: "Menu" });
    menu.focus();
    pressRibbon("freezeSheet");
    const close = await screen.findByRole("button", { name: "Close" });
    close.focus();
    fireEvent.click(close);
    expect(document.activeElement).toBe(menu);
  });

  it("gives focus to the selected tab if nothing had it", async () => {
    const { press: pressRibbon } = openWholePane(session);
    pressRibbon("freezeSheet");
    const close = await screen.findByRole("button", { name: "Close" });
    close.focus();
    fireEvent.click(close);
    expect(document.activeElement).toBe(tab("Find"));
  });
});

describe("a broken part of the pane", () => {
  it("shows an error in its own place, leaves the rest, and recovers on retry", () => {
    const logged = jest.spyOn(console, "error").mockImplementation(() => {}); // where React reports to developers
    let isBroken = true;
    const Fragile = () => {
      if (isBroken) throw new Error("broken");
      return <p>whole</p>;
    };
    render(
      <>
        <Boundary name="Find" texts={toTexts("en-US")}>
          <Fragile />
        </Boundary>
        <p>other</p>
      </>,
    );
    expect(screen.getByRole("alert").textContent).toContain("Find has stopped because of an error in the add-in.");
    expect(screen.getByText("other")).toBeTruthy();
    isBroken = false;
    press("Try again");
    expect(screen.getByText("whole")).toBeTruthy();
    logged.mockRestore();
  });
});

describe("sample data", () => {
  it("is marked on every tab and in the settings", async () => {
    openWholePane(session);
    await session.connect();
    for (const name of ENGLISH) {
      openTab(name);
      expect(screen.getByRole("button", { name: "Connected · sample data" })).toBeTruthy();
    }
    openSettings();
    expect(screen.getByRole("button", { name: "Connected · sample data" })).toBeTruthy();
  });
});
