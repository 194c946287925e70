/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { Sources } from "../../src/taskpane/this-cell/QueryFacts";
import { checkPart } from "./access";
import { openPart } from "./open-pane";
import { openClipboard } from "./pane-sessions";
import {
  at,
  fact,
  findCompany,
  openForEach,
  readJson,
  section,
  select,
  show,
  showCell,
  showRevenue,
  toRevenue,
  typeRevenue,
} from "./this-cell-page";

const FIGURE = "The value in the answer, with its statement and year";
const DAY_S = 24 * 3600;

openForEach();

describe("a request's trace id", () => {
  it("is copied for support", async () => {
    const traceId = "7f1c2f8e-1a55-4f3e-9a0e-2b8f5d7f0c11";
    openPart(at.page.session, <Sources sources={[{ operation: "rankCompanies", sentAtMs: Date.now(), traceId }]} />);
    const { copied, deny } = openClipboard();
    fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
    await screen.findByText("Copied.");
    expect(copied).toEqual([traceId]);
    deny();
    fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
    await screen.findByText(/^The browser let nothing be copied/);
    expect(String(getSelection())).toBe(traceId);
    await checkPart();
  });
});

describe("the copied JSON", () => {
  it("is the one shown; if the browser cannot copy, it is selected", async () => {
    await showRevenue();
    const { copied, deny } = openClipboard();
    fireEvent.click(await section().findByRole("button", { name: "Copy JSON" }));
    await screen.findByText("Copied.");
    expect(JSON.parse(copied[0] ?? "")).toEqual(readJson(FIGURE));
    deny();
    fireEvent.click(section().getByRole("button", { name: "Copy JSON" }));
    await screen.findByText(/^The browser let nothing be copied/);
    expect(document.activeElement).toBe(section().getByRole("textbox", { name: FIGURE }));
  });
});

/** Shows a table's cell that displays what `shown` holds. */
async function showTable(shown: { value: string }, language?: string) {
  await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", 3);
  const { workbook } = show({ "Model!B2": '=FEED.RANKING("2024-01-01","2024-01-07",3)' }, language);
  const { readValues } = workbook;
  workbook.readValues = async (reference) =>
    reference === "Model!B2" ? [[shown.value]] : readValues.call(workbook, reference);
  await select(workbook, "B2");
  return workbook;
}

describe("a cell whose table cannot spill", () => {
  it("says why, and leads to what is in the way", async () => {
    const workbook = await showTable({ value: "#SPILL!" });
    workbook.cells.set("Model!B4", "mine");
    await section().findByText(
      "#SPILL! Its table does not fit: other cells are in the way, or the sheet ends. Empty them, or move the formula.",
    );
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Show what is in the way" }));
    await waitFor(async () => expect(await workbook.readSelection()).toMatchObject({ address: "B4" }));
  });

  it("says so in Japanese", async () => {
    await showTable({ value: "#SPILL!" }, "ja-JP");
    await section().findByText(/^#SPILL! ほかのセルに内容があるか、シートの端を超えるため、表を表示できません。/);
    expect(section().getByRole("button", { name: "妨げているセルを表示" })).toBeTruthy();
  });

  it("no longer does once the cell shows its table", async () => {
    const shown = { value: "#SPILL!" };
    const workbook = await showTable(shown);
    await section().findByText(/^#SPILL! /);
    shown.value = "Rank";
    await act(async () => workbook.select({ sheet: "Model", address: "B2" }));
    await waitFor(() => expect(section().queryByText(/#SPILL!/)).toBeNull());
    await section().findByText(/^Row 1, column 1/);
    expect(section().queryByRole("button", { name: "Show what is in the way" })).toBeNull();
  });
});

/** Makes the companion report this age of the provider's answers. */
function age(seconds: number): void {
  const { ports } = at.page.session;
  const { fetch: send } = ports;
  ports.fetch = async (url, init) => {
    const response = await send(url, init);
    const { status, headers } = response;
    return new Response(await response.text(), {
      status,
      headers: { ...Object.fromEntries(headers), age: `${seconds}` },
    });
  };
}

/** Shows a company's cell. */
async function showCompany(): Promise<void> {
  await at.page.type("COMPANY", "Model!B2", [[at.ids[0]]], [["legalName"]]);
  await showCell({ "Model!B2": `=FEED.COMPANY("${at.ids[0]}", "legalName")` });
}

describe("a cell with an answer from the companion's cache", () => {
  it("shows the time the provider gave it, that it is older than wanted, and the newer one's after a refresh", async () => {
    age(8 * DAY_S);
    await showCompany();
    expect(await fact("As of")).toMatch(/\(8 days ago\)$/);
    expect(await fact("Freshness")).toMatch(/^Older than wanted since .+; refresh to ask again$/);
    expect(await fact("Origin")).toBe("Asked since the pane opened");
    age(0);
    await act(async () => void (await at.page.session.refresh()));
    await waitFor(async () => expect(await fact("As of")).toMatch(/\(this minute\)$/));
  });

  it("is fresh for a time reduced by its age", async () => {
    age(6 * DAY_S);
    await showCompany();
    const [, until = ""] = /^Fresh until (.+)$/.exec((await fact("Freshness")) ?? "") ?? [];
    expect(Math.round((Date.parse(until) - Date.now()) / (DAY_S * 1000))).toBe(1);
  });
});

/** No company has it. */
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const misspell = (name: string) => name.replace(/\w$/, "");

describe("a cell whose name means a company without figures", () => {
  it.each([
    ["en-US", /^“.+” means Kept Foods in this workbook \(/, "Forget this choice", "Choose another…"],
    ["ja-JP", /^「.+」は、このブックではKept Foodsを指します/, "この選択を取り消す", "別の企業を選ぶ…"],
  ])("says so and takes the choice back in %s", async (language, means, forget, choose) => {
    const { name } = findCompany();
    const { session } = at.page;
    const { country } = session.settings;
    session.feed.resolutions.adopt([{ name, country, companyId: UNKNOWN, companyName: "Kept Foods" }]);
    const { opened } = await showRevenue(name, language);
    await section().findByText(means);
    expect(section().getByText(/^FEED_NOT_FOUND/)).toBeTruthy();
    expect(
      section().getByText(new RegExp(`^Kept Foods, which "${name}" means here, has no financials for 2023`)),
    ).toBeTruthy();
    expect(section().queryByRole("button", { name: /Find$|「検索」/ })).toBeNull(); // one button for one thing
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: choose }));
    expect(opened).toEqual([["find", { name, named: { name, country } }]]);
    fireEvent.click(await section().findByRole("button", { name: forget }));
    await section().findByText(language === "en-US" ? / · fetched \d\d:\d\d$/ : / 取得$/);
    expect(session.feed.resolutions.find({ name, country })?.companyName).toBe(name);
  });
});

describe("a cell whose name means no company by a person's choice", () => {
  it.each([
    ["en-US", /^“.+” has no company in this workbook: somebody chose/, "Forget this choice"],
    ["ja-JP", /^「.+」は、このブックでは \[該当なし\] とされています/, "この選択を取り消す"],
  ])("says so and takes the choice back in %s", async (language, means, forget) => {
    const { name } = findCompany();
    const { resolutions } = at.page.session.feed;
    resolutions.adopt([{ name, country: "JPN", companyId: "", companyName: "" }]);
    await showRevenue(name, language);
    await section().findByText(means);
    expect(section().getByText(/^FEED_NO_VALUE/)).toBeTruthy();
    await checkPart();
    fireEvent.click(await section().findByRole("button", { name: forget }));
    await waitFor(() => expect(resolutions.find({ name, country: "JPN" })?.companyName).toBe(name));
  });
});

describe("what a cell's text means by its index alone", () => {
  const means = / means .+ in this workbook \(/;
  const forget = () => section().queryByRole("button", { name: "Forget this choice" });

  /** Waits until the index has told whose the text is. */
  const search = (name: string) =>
    new Promise<void>((resolve) => {
      const { queryCache, names } = at.page.session.feed;
      queryCache.observe(names.query(name, "JPN", "exact"), ({ status }) => status === "answered" && resolve());
    });

  it("is no choice that could be forgotten: a ticker, a name of one company", async () => {
    const ticker = String(at.ranked.find(({ tickerSymbol }) => tickerSymbol)?.tickerSymbol);
    for (const text of [ticker, findCompany().name]) {
      await typeRevenue(text);
      const { workbook } = show({ "Model!B2": toRevenue(text) });
      await select(workbook, "B2");
      await section().findByText(means);
      await act(() => search(text));
      expect([text, forget()]).toEqual([text, null]);
      expect(section().getByRole("button", { name: "Choose another…" })).toBeTruthy();
      cleanup();
    }
  });

  it("is no choice for a ticker where no index is at hand, unlike a name", async () => {
    const texts = { B2: "9999", B3: "Kept" };
    const { resolutions } = at.page.session.feed;
    resolutions.adopt(
      Object.values(texts).map((name) => ({ name, country: "JPN", companyId: UNKNOWN, companyName: `${name} Foods` })),
    );
    for (const [cell, name] of Object.entries(texts)) await typeRevenue(name, cell);
    const { workbook } = show({ "Model!B2": toRevenue(texts.B2), "Model!B3": toRevenue(texts.B3) });
    await select(workbook, "B3");
    await section().findByRole("button", { name: "Forget this choice" });
    await select(workbook, "B2");
    await section().findByText(means);
    await act(() => at.page.session.feed.nameIndexes.find("JPN"));
    expect(forget()).toBeNull();
  });

  it("is a choice where no company has the text, and can be forgotten", async () => {
    const { name } = findCompany();
    await typeRevenue(name, "B3"); // builds the index
    const written = misspell(name);
    at.page.session.feed.resolutions.adopt([
      { name: written, country: "JPN", companyId: at.ids[0] ?? "", companyName: name },
    ]);
    await showRevenue(written);
    fireEvent.click(await section().findByRole("button", { name: "Forget this choice" }));
    await section().findByText("correct the spelling, or choose the company");
  });
});

async function showMisspelt() {
  const { name } = findCompany();
  return { name, ...(await showRevenue(misspell(name))) };
}

describe("a cell with a misspelt name", () => {
  it("offers to correct its formula, and to choose the company", async () => {
    const { name, workbook } = await showMisspelt();
    await section().findByText("correct the spelling, or choose the company");
    const labels = section()
      .getAllByRole("button")
      .map(({ textContent }) => textContent);
    expect(labels.slice(0, 2)).toEqual(["Correct the formula", "Choose the company in Find"]);
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Correct the formula" }));
    await screen.findByText("Inserted at Model!B2.");
    expect(workbook.cells.get("Model!B2")).toEqual({ formula: toRevenue(name) });
  });

  it("replaces no other content that its cell has by now", async () => {
    const { workbook } = await showMisspelt();
    const correct = await section().findByRole("button", { name: "Correct the formula" });
    workbook.cells.set("Model!B2", { formula: "=1+1" });
    fireEvent.click(correct);
    await screen.findByText(/^Model!B2 holds something already\./);
    await waitFor(() => expect(workbook.cells.get("Model!B2")).toEqual({ formula: "=1+1" }));
  });
});
