/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { checkPart } from "./access";
import {
  at,
  findCompany,
  openForEach,
  section,
  select,
  show,
  showCell,
  toRevenue,
  typeRevenue,
} from "./this-cell-page";

openForEach();

/** No company has it. */
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("a cell whose name means a company without figures", () => {
  it.each([
    ["en-US", /^“.+” means Kept Foods in this workbook \(/, "Forget this choice", "Choose another…"],
    ["ja-JP", /^「.+」は、このブックではKept Foodsを指します/, "この選択を取り消す", "別の企業を選ぶ…"],
  ])("says so and takes the choice back in %s", async (language, means, forget, choose) => {
    const { name } = findCompany();
    const { session } = at.page;
    const { country } = session.settings;
    session.feed.resolutions.adopt([{ name, country, companyId: UNKNOWN, companyName: "Kept Foods" }]);
    await typeRevenue(name);
    const { opened } = await showCell({ "Model!B2": toRevenue(name) }, language);
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
    await typeRevenue(name);
    await showCell({ "Model!B2": toRevenue(name) }, language);
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
    const written = name.replace(/\w$/, "");
    at.page.session.feed.resolutions.adopt([
      { name: written, country: "JPN", companyId: at.ids[0] ?? "", companyName: name },
    ]);
    await typeRevenue(written);
    await showCell({ "Model!B2": toRevenue(written) });
    fireEvent.click(await section().findByRole("button", { name: "Forget this choice" }));
    await section().findByText("correct the spelling, or choose the company");
  });
});

describe("a cell with a misspelt name", () => {
  it("offers to correct its formula, and to choose the company", async () => {
    const { name } = findCompany();
    const written = name.replace(/\w$/, "");
    await typeRevenue(written);
    const { workbook } = await showCell({ "Model!B2": toRevenue(written) });
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
    const { name } = findCompany();
    const written = name.replace(/\w$/, "");
    await typeRevenue(written);
    const { workbook } = await showCell({ "Model!B2": toRevenue(written) });
    const correct = await section().findByRole("button", { name: "Correct the formula" });
    workbook.cells.set("Model!B2", { formula: "=1+1" });
    fireEvent.click(correct);
    await screen.findByText(/^Model!B2 holds something already\./);
    await waitFor(() => expect(workbook.cells.get("Model!B2")).toEqual({ formula: "=1+1" }));
  });
});
