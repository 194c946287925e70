/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it, jest } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { PAUSE_MS } from "../../src/taskpane/company-search";
import { checkAccess, click, field, find, lines, openCompany, options, press, serveFind, write } from "./find-page";
import { createHurriedPorts } from "./gate";
import { findTab, openWholePane } from "./open-whole-pane";

const page = serveFind();

const SAKURA = /^Sakura Bakery/;
const LOGISTICS = /^Sakura Logistics/;

describe("company search", () => {
  it("starts with instructions, and examples on sample data", async () => {
    await page.openIndexed();
    expect(screen.getByText(/^Type a name in any script, a ticker or a registration number\./)).toBeTruthy();
    await checkAccess();
    click("Sakura");
    expect(field().value).toBe("Sakura");
    await waitFor(() => expect(options()[0]).toMatch(/^Sakura Bakery/));
  });

  it("accepts names in either language, shows both, marks and counts the matches", async () => {
    await page.openIndexed();
    await find("sakura bak", /^Sakura Bakery Co\., Ltd\.さくらベーカリー株式会社 Private JPN · [^·]+ · 2730196982816$/);
    await find("さくら物流", /^Sakura Logistics Inc\.さくら物流株式会社 Listed · 9166 JPN$/);
    const marked = [...document.querySelectorAll("[role=option] mark")].map((mark) => mark.textContent);
    expect(marked).toContain("さくら物流");
    const said = options().length === 1 ? "1 company" : `${options().length} companies`;
    expect(screen.getByText(`${said}. Arrow keys choose, Enter opens.`)).toBeTruthy();
    await checkAccess();
  });

  it("shows Japanese names first in a Japanese Excel", async () => {
    await page.openIndexed({ language: "ja-JP" });
    write("髙島", "企業");
    await screen.findByText(/社(が|を超える企業が)見つかりました/);
    expect(options().length).toBeGreaterThan(3);
    for (const option of options()) expect(option).toMatch(/^[^a-z]*[髙高]島.*Takashima/);
    await checkAccess();
  });

  it("accepts an id, and a country before a name", async () => {
    const { session } = await page.openIndexed();
    await find("sakura bak", SAKURA);
    press("Enter");
    await screen.findByRole("heading", { level: 2, name: /^Sakura Bakery/ });
    const id = document.querySelector("[id^=company-]")?.textContent ?? "";
    click("Back to the results");
    write(id);
    await waitFor(() => expect(options()).toEqual([expect.stringMatching(SAKURA)]));
    session.change({ country: "SGP" });
    await find("JPN:Sakura Bak", SAKURA);
  });

  it("tells the last year of financials once an answer at hand has it, without a request", async () => {
    await page.openIndexed();
    await openCompany("sakura bak", "Sakura Bakery Co., Ltd.");
    await screen.findByText("Show as a table");
    click("Back to the results");
    const before = page.companion().controls.count("getCompanyFinancials");
    await find("Sakura Ba", /Private · financials to 20\d\d JPN/);
    expect(page.companion().controls.count("getCompanyFinancials")).toBe(before);
  });

  it("lists the closest where nothing matches, and opens one by Enter", async () => {
    await page.openIndexed();
    write("Sakura Bakary");
    await screen.findByText(/^No company of JPN fits "Sakura Bakary"\./);
    await screen.findByText(/^The closest \d names:$/);
    expect(options()[0]).toMatch(SAKURA);
    await checkAccess();
    press("Enter");
    await screen.findByRole("heading", { level: 2, name: /^Sakura Bakery/ });
  });

  it("keeps old results until there are new ones", async () => {
    await page.openIndexed();
    await find("a", /JPN/);
    let gone = 0;
    const observer = new MutationObserver(() => {
      if (lines().length === 0) gone++;
    });
    observer.observe(document.body, { childList: true, subtree: true });
    write("SGP", "Country");
    fireEvent.blur(field("Country"));
    await waitFor(() => expect(options()[0]).toMatch(/SGP/));
    observer.disconnect();
    expect(gone).toBe(0);
  });

  it("shows at most fifty", async () => {
    await page.openIndexed();
    write("k");
    await screen.findByText("More than 50 companies: write more of the name to see the others.");
    expect(options()).toHaveLength(50);
  });

  it("suggests what to try when nothing matches, and searches all countries by one click", async () => {
    await page.openIndexed();
    write("zzqx");
    await screen.findByText(/^No company of JPN fits "zzqx"\. Try a shorter part of the name, another spelling/);
    await checkAccess();
    click("Search all countries");
    expect(field("Country").value).toBe("ALL");
    await screen.findByText(/^No company fits "zzqx"\./);
  });

  it("searches the chosen country, initially that of the settings", async () => {
    const { session } = await page.openIndexed();
    session.change({ country: "SGP" });
    await waitFor(() => expect(field("Country").value).toBe("SGP"));
    await find("a", /SGP/);
    for (const option of options()) expect(option).toMatch(/ SGP( · |$)/);
  });

  it("starts with a name sent by another part", async () => {
    await page.openIndexed({ initialTask: { name: "Sakura Bakery" } });
    expect(field().value).toBe("Sakura Bakery");
    await waitFor(() => expect(options()[0]).toMatch(SAKURA));
  });
});

/** The place of the line that Enter takes. */
function readActive(): number {
  const selected = lines().map((line) => line.getAttribute("aria-selected"));
  expect(lines()[selected.indexOf("true")]?.id).toBe(field().getAttribute("aria-activedescendant"));
  return selected.lastIndexOf("true");
}

describe("the result list", () => {
  it("is operated by arrow keys from the search field; Enter opens the card", async () => {
    await page.openIndexed();
    await find("sakura logi", LOGISTICS);
    expect(readActive()).toBe(0);
    press("ArrowDown");
    press("ArrowDown");
    expect(readActive()).toBe(2);
    press("ArrowUp");
    press("ArrowUp");
    press("ArrowUp");
    expect(readActive()).toBe(lines().length - 1);
    press("ArrowDown");
    press("ArrowDown");
    press("Escape");
    await checkAccess();
    press("Enter");
    const heading = await screen.findByRole("heading", { level: 2, name: "Sakura Logistics Inc." });
    expect(document.activeElement).toBe(heading);
  });

  it("is restored behind a card, with the text and the chosen line", async () => {
    await page.openIndexed();
    await openCompany("sakura logi", "Sakura Logistics Inc.");
    expect(screen.queryByRole("combobox", { name: "Company", hidden: false })).toBeNull();
    click("Back to the results");
    expect(field().value).toBe("sakura logi");
    expect(document.activeElement).toBe(field());
    const chosen = lines().find((line) => line.getAttribute("aria-selected") === "true");
    expect(chosen?.textContent).toContain("Sakura Logistics Inc.");
  });

  it("opens nothing by Enter that does not match the field", async () => {
    await page.openIndexed();
    await find("sakura logi", LOGISTICS);
    write("髙島");
    press("Enter");
    expect(screen.queryByRole("heading", { level: 2 })).toBeNull();
    await waitFor(() => expect(options()[0]).toMatch(/^Takashima/));
    press("Enter");
    await screen.findByRole("heading", { level: 2, name: /^Takashima/ });
  });
});

describe("the search field", () => {
  /** Opens a part of the whole pane as a person without a mouse does. */
  const openTab = (name: string) => {
    const tab = findTab(name);
    tab.focus();
    fireEvent.click(tab);
  };

  it("gets the focus whenever the part is opened", async () => {
    const session = await page.connect();
    openWholePane(session);
    expect(document.activeElement).toBe(field());
    openTab("Changes");
    openTab("Find");
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it("takes no focus while the person is in the sheet", async () => {
    jest.spyOn(document, "hasFocus").mockReturnValue(false);
    await page.open();
    jest.restoreAllMocks();
    expect(document.activeElement).toBe(document.body);
  });
});

describe("Japanese input", () => {
  it("is searched after composition; its Enter and arrows belong to the input method", async () => {
    const ports = createHurriedPorts();
    let pauses = 0;
    const after = (delayMs: number, act: () => void) => {
      if (delayMs === PAUSE_MS) pauses++;
      return ports.after(delayMs, act);
    };
    await page.open({ ports: { ...ports, after } });
    await find("sakura logi", LOGISTICS);
    const input = field();
    fireEvent.compositionStart(input);
    pauses = 0;
    write("さk");
    fireEvent.keyDown(input, { key: "ArrowDown", isComposing: true });
    fireEvent.keyDown(input, { key: "Enter", isComposing: true });
    expect([input.value, pauses]).toEqual(["さk", 0]);
    expect(input.hasAttribute("aria-activedescendant")).toBe(false);
    expect(screen.queryByRole("heading", { level: 2 })).toBeNull();
    write("さくらベーカリー");
    fireEvent.compositionEnd(input);
    await waitFor(() => expect(options()[0]).toContain("さくらベーカリー株式会社"));
  });
});
