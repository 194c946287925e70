/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { screen, waitFor } from "@testing-library/react/pure";
import { toTexts } from "../../src/taskpane/texts";
import { checkAccess, click, createFindPage, find, isOff, openCompany, options, write } from "./find-page";

const page = createFindPage();

beforeAll(page.start);
afterEach(page.leave);
afterAll(page.close);

const BAKERY = "Sakura Bakery Co., Ltd.";
const LISTED = "Sakura Logistics Inc.";
const NAMED = { name: "Sakura", country: "JPN" };
const USE = "Use for “Sakura” in this workbook";

/** Opens the part to choose the company of a name, which formulas for figures have. */
async function choose() {
  const opened = await page.open({ initialTask: { name: "", named: NAMED } });
  const { financials, queryCache } = opened.session.feed;
  queryCache.observe(financials.query(NAMED, { year: 2023 }), () => {});
  return opened;
}

const describedBy = (name: string) => {
  const id = screen.getByRole("button", { name }).getAttribute("aria-describedby");
  return id === null ? null : document.getElementById(id)?.textContent;
};

describe("the choice of a name's company", () => {
  it("is refused with its reason where the formulas want figures and the company has none", async () => {
    await choose();
    await openCompany("sakura logi", LISTED);
    await waitFor(() => expect(isOff(USE)).toBe(true));
    expect(describedBy(USE)).toBe("The formulas with “Sakura” show financials, and this company has none.");
    await checkAccess();
  });

  it("says what it does, and what the name means then", async () => {
    const { session } = await choose();
    await openCompany("sakura bak", BAKERY);
    await screen.findByRole("img"); // its figures
    expect(isOff(USE)).toBe(false);
    click(USE);
    await screen.findByText("In this workbook, “Sakura” now means Sakura Bakery Co., Ltd."); // one full stop
    expect(session.feed.resolutions.find(NAMED)?.companyName).toBe(BAKERY);
    const { ofPicker } = toTexts("ja-JP");
    expect(ofPicker.use("さくら")).toBe("このブックの「さくら」に使う");
    expect(toTexts("en-US").ofPicker.used("Sakura", "Hill")).toMatch(/means Hill\.$/);
  });

  it("begins with companies that may have figures", async () => {
    await choose();
    await find("sakura", /Private/);
    const firstListed = options().findIndex((each) => each.includes("Listed"));
    expect(firstListed).toBeGreaterThan(0);
    expect(options().findLastIndex((each) => each.includes("Private"))).toBeLessThan(firstListed);
  });
});

describe("the card of a company without figures", () => {
  it("says beside its disabled actions why, for screen readers too", async () => {
    await page.open();
    await openCompany("sakura logi", LISTED);
    const reason = "There are no financials with this company's id in the private-market data.";
    await screen.findByText(`Latest revenue: ${reason}`);
    expect(describedBy("Latest revenue")).toBe(`Latest revenue: ${reason}`);
    expect(describedBy("Statement sheet…")).toBe(`Latest revenue: ${reason}`);
    expect(describedBy("Peers")).toBeNull();
    await checkAccess();
  });
});

describe("a notice about a company", () => {
  it("ends when another one is opened", async () => {
    await page.open();
    await openCompany("sakura bak", BAKERY);
    click("Id");
    await screen.findByText(/^Inserted at/);
    click(/Back to the results/);
    expect(screen.getByText(/^Inserted at/)).toBeTruthy();
    await openCompany("sakura logi", LISTED);
    expect(screen.queryByText(/^Inserted at/)).toBeNull();
  });
});

describe("a search of the sample data", () => {
  it.each([
    ["en-US", "Company", /^No company of JPN fits "zzzz"\..* The sample data has invented companies only\.$/],
    ["ja-JP", "企業", /サンプルデータの企業はすべて架空のものです。$/],
  ])("without a result says that its companies are invented, in %s", async (language, name, sentence) => {
    await page.open({ language });
    write("zzzz", name);
    await screen.findByText(sentence);
  });
});
