/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import type { Row } from "../../src/feed/decode";
import { FIND_SCRIPTS } from "../../src/taskpane/Find";
import type { Script } from "../../src/taskpane/pane/ScriptPart";
import { toTexts } from "../../src/taskpane/texts";
import { awaitAnswer } from "../support/feed";
import { checkAccess, click, find, isOff, openCompany, options, press, serveFind, write } from "./find-page";
import { openClipboard } from "./pane-sessions";

const page = serveFind();

const BAKERY = "Sakura Bakery Co., Ltd.";
const BAKERY_JA = "さくらベーカリー株式会社";
const LISTED = "Sakura Logistics Tokyo K.K.";

const section = (name: string) => within(screen.getByRole("region", { name }));
const FIGURES = "Revenue and net income";
const PROFILE = "Private-market profile";
const LISTING = "Listing and industries";

const describedBy = (name: string) => {
  const id = screen.getByRole("button", { name }).getAttribute("aria-describedby");
  return id === null ? null : document.getElementById(id)?.textContent;
};

async function openBakery() {
  const opened = await page.openIndexed();
  await openCompany("sakura bak", BAKERY);
  return { ...opened, id: screen.getByText(/^[0-9a-f]{8}-/).textContent as string };
}

describe("the card of a private company", () => {
  it("shows profile, address, people, employees and industries, without contact data", async () => {
    const { session, id } = await openBakery();
    for (const text of [
      ...[
        "People",
        "Sakura bakes bread and cakes for supermarkets.",
        "Representative director",
        "Employees (non-consolidated)",
      ],
      ...["Registered address", "50 Example Street, 16F Sample Tower, Nagoya 63640, JPN"],
    ])
      await section(PROFILE).findByText(text);
    for (const text of [/^Food and Agriculture › Processed Food › Confectionery/, "(primary)", "Founded"])
      await section(LISTING).findByText(text);
    const { representatives } = await awaitAnswer(session.feed, session.feed.companies.query(id));
    const readFlag = (name: string) => section(LISTING).getByText(name).nextSibling?.textContent;
    expect([readFlag("Active"), readFlag("Public")]).toEqual(["Yes", "No"]);
    const contacts = (representatives as Row[]).flatMap(({ email, phone, dob }) => [email, phone, dob]);
    expect(contacts.length).toBeGreaterThan(3);
    for (const contact of contacts) expect(document.body.innerHTML).not.toContain(contact);
    await checkAccess();
  });

  it("draws revenue and net income by year, also as a sentence and a table", async () => {
    await openBakery();
    const chart = await section(FIGURES).findByRole("img");
    expect(chart.getAttribute("aria-label")).toMatch(
      /^Revenue and net income by fiscal year, 2015 to 20\d\d, in JPY\. Revenue of 2015: 842M\..* Net income of 2015: 73\.8M\./,
    );
    fireEvent.click(section(FIGURES).getByText("Show as a table"));
    const [, first] = section(FIGURES).getAllByRole("row", { hidden: true });
    expect(first?.textContent).toBe("2015842,339,00073,794,000");
    const years = section(FIGURES).getAllByRole("row", { hidden: true }).length - 1;
    expect(chart.querySelectorAll("rect")).toHaveLength(2 * years);
  });
});

it("a card in a Japanese Excel has Japanese names and numbers", async () => {
  await page.openIndexed({ language: "ja-JP" });
  write("さくらベーカリー", "企業");
  await waitFor(() => expect(document.querySelector("[role=listbox] > [role=option]")).not.toBeNull());
  press("Enter", "企業");
  await screen.findByRole("heading", { level: 2, name: BAKERY_JA });
  expect((await screen.findByRole("img")).getAttribute("aria-label")).toMatch(/ 2015 年度の売上高: 8\.42億。/);
});

it.each([
  ["en-US", [BAKERY, BAKERY_JA]],
  ["ja-JP", [BAKERY_JA, BAKERY]],
])(
  "results in an Excel in %s have its language's names, unless the workbook's setting chooses others",
  async (language, names) => {
    const { session } = await page.openIndexed({ language });
    write("sakura bak", toTexts(language).ofFind.company);
    const [own = "", other = ""] = names;
    const chosen = { en: BAKERY, ja: BAKERY_JA, provider: own };
    for (const [companyNames, name] of Object.entries(chosen) as ["en" | "ja" | "provider", string][]) {
      act(() => session.change({ companyNames }));
      await waitFor(() => expect(options()[0]?.startsWith(name)).toBe(true));
    }
    expect(options()[0]).toContain(other);
  },
);

it("a card whose script does not come can be tried again, and leads back to the results", async () => {
  const card = FIND_SCRIPTS[0] as Script<unknown>;
  const { load, loaded } = card;
  Object.assign(card, { loaded: null, load: () => Promise.reject(new Error("offline")) });
  await page.openIndexed();
  await find("sakura bak", new RegExp(BAKERY));
  press("Enter");
  expect((await screen.findByRole("alert")).textContent).toMatch(/ could not be loaded\./);
  click("Back to the results");
  expect(screen.queryByRole("alert")).toBeNull();
  press("Enter");
  await screen.findByRole("alert");
  Object.assign(card, { loaded, load });
  click("Try again");
  await screen.findByRole("heading", { level: 2, name: BAKERY });
});

describe("a data family", () => {
  it("without the company says so, and beside its disabled actions why, for screen readers too", async () => {
    await page.openIndexed();
    await openCompany("sakura logi", LISTED);
    const reason = "There are no financials with this company's id in the private-market data.";
    await section(FIGURES).findByText(reason);
    await section(PROFILE).findByText("The private-market data has no company with this id.");
    await section(LISTING).findByText("Ticker");
    expect(["Latest revenue", "Statement sheet…", "Peers"].map(isOff)).toEqual([true, true, false]);
    const why = `Latest revenue: ${reason}`;
    expect(["Latest revenue", "Statement sheet…", "Peers"].map(describedBy)).toEqual([why, why, null]);
    expect(screen.getByText(why)).toBeTruthy();
    await checkAccess();
  });

  it("that is forbidden leaves the others", async () => {
    page.companion().controls.answers.getCompanyFinancials = { status: 403, times: Number.POSITIVE_INFINITY };
    await openBakery();
    await section(FIGURES).findByText(/^This client may not read financials of this company\./);
    await section(PROFILE).findByText("People");
    await section(LISTING).findByText("Founded");
  });

  it("that failed is refetched by its own button", async () => {
    const { controls } = page.companion();
    controls.answers.getTaxonomyCompany = { status: 400, times: 1 };
    await openBakery();
    await section(LISTING).findByText(/^FEED_REQUEST_INVALID/);
    expect(section(LISTING).getByText(/What to do/)).toBeTruthy();
    await checkAccess();
    fireEvent.click(section(LISTING).getByRole("button", { name: "Try again" }));
    await section(LISTING).findByText("Founded");
    expect(controls.count("getCompany")).toBe(1);
  });

  it("with an unreadable answer fails in its own section", async () => {
    const { ports } = (await page.openIndexed()).session;
    const { fetch: send } = ports;
    ports.fetch = async (input, init) => {
      const answer = await send(input, init);
      if (!/industry-taxonomies\/v1\/companies\/./.test(String(input))) return answer;
      return Response.json({ ...(await answer.json()), taxonomy: "none" });
    };
    await openCompany("sakura bak", BAKERY);
    await section(LISTING).findByText(/^FEED_RESPONSE_MALFORMED/);
    await section(PROFILE).findByText("People");
    ports.fetch = send;
  });
});

const FIELDS = "Company, English name, Ticker, Country, Public, Industry, Company id";

type FakeWorkbook = Awaited<ReturnType<typeof openBakery>>["workbook"];

/** Presses a button with a cell of an empty sheet selected. */
const createPut = (workbook: FakeWorkbook) => async (name: string, address: string) => {
  workbook.select({ sheet: "Model", address });
  click(name);
  await screen.findByText(`Inserted at Model!${address}.`);
};

/** The labels from B2 down, and what stands beside them. */
const readLines = ({ cells }: FakeWorkbook) =>
  Array.from({ length: cells.size / 2 }, (_, row) =>
    ["B", "C"].map((column) => cells.get(`Model!${column}${row + 2}`)),
  );

describe("the buttons of a card", () => {
  it("insert the latest revenue, the id and the peers by the company's name, in columns that are wide enough", async () => {
    const { workbook, session, id } = await openBakery();
    const put = createPut(workbook);
    await put("Latest revenue", "B2");
    await put("Id", "B3");
    await put("Peers", "B4");
    expect(Object.fromEntries(workbook.cells)).toEqual({
      "Model!B2": { formula: `=FEED.FINANCIAL("${BAKERY}", "FY0", "Revenue")`, format: "#,##0" },
      "Model!B3": BAKERY,
      "Model!C3": id,
      "Model!B4": { formula: `=FEED.PEERS("${BAKERY}", , , , , "${FIELDS}")` },
    });
    expect(Object.fromEntries(workbook.widths)).toEqual({
      "Model!B2": [19],
      "Model!B3": [25, 38],
      "Model!B4": [34, 34, 10, 9, 9, 26, 38],
    });
    const named = { name: BAKERY, country: "JPN" };
    expect(session.feed.resolutions.find(named)?.companyId).toBe(id); // which the workbook stores
  });

  it("insert the id where the name means another company here, with the name beside a figure", async () => {
    const { workbook, session, id } = await openBakery();
    session.feed.resolutions.record({ name: BAKERY, country: "JPN", companyId: "other", companyName: "Other" });
    const put = createPut(workbook);
    await put("Latest revenue", "B2");
    await put("Peers", "B4");
    expect(Object.fromEntries(workbook.cells)).toEqual({
      "Model!B2": { formula: `=FEED.FINANCIAL("${id}", "FY0", "Revenue")`, format: "#,##0" },
      "Model!C2": BAKERY,
      "Model!B4": { formula: `=FEED.PEERS("${id}", , , , , "${FIELDS}")` },
    });
  });

  it("insert a private company's details as formulas behind their labels", async () => {
    const { workbook, id } = await openBakery();
    await createPut(workbook)("Company details", "B2");
    const lines = readLines(workbook);
    const classified = (field: string) => `=FEED.CLASSIFICATION("${BAKERY}", "${field}")`;
    const recorded = (field: string) => `=FEED.COMPANY("${BAKERY}", "${field}")`;
    expect(lines[0]).toEqual(["Formal name", { formula: classified("companyFormalName") }]);
    expect(lines).toContainEqual(["English name", { formula: classified("companyEnglishName") }]);
    expect(lines).toContainEqual(["Country name", { formula: classified("countryName") }]);
    expect(lines).toContainEqual(["Registered on", { formula: recorded("dateOfRegistration"), format: "yyyy-mm-dd" }]);
    expect(lines.at(-1)).toEqual(["Id", id]);
    expect(lines.map(([label]) => label)).not.toContain("Company"); // it is the formal name
    expect(workbook.widths.get("Model!B2")).toEqual([expect.any(Number), 44]); // its business is longer
  });

  it("insert a listed company's details in the pane's language", async () => {
    const { workbook } = await page.openIndexed({ language: "ja-JP" });
    write("sakura logi", "企業");
    await waitFor(() => expect(document.querySelector("[role=listbox] > [role=option]")).not.toBeNull());
    press("Enter", "企業");
    const name = (await screen.findByRole("heading", { level: 2 })).textContent;
    await waitFor(() => expect(isOff("財務諸表シート…")).toBe(true));
    workbook.select({ sheet: "Model", address: "B2" });
    click("企業情報");
    await waitFor(() => expect(workbook.cells.size).toBeGreaterThan(0));
    const lines = readLines(workbook);
    expect(lines[0]).toEqual(["正式名称", { formula: `=FEED.CLASSIFICATION("${name}", "companyFormalName")` }]);
    expect(lines.map(([label]) => label)).toEqual(expect.arrayContaining(["英語名", "証券コード", "取引所", "国"]));
    expect(lines.at(-1)?.[0]).toBe("ID");
  });

  it("name the company's country for its peers if it differs, and hand the company to the other parts", async () => {
    const { session, workbook, opened, id } = await openBakery();
    session.change({ country: "SGP" });
    click("Peers");
    await screen.findByText(/^Inserted at/);
    expect(workbook.cells.get("Sheet1!A1")).toEqual({
      formula: `=FEED.PEERS("JPN:${BAKERY}", "industry", "JPN", , , "${FIELDS}")`,
    });
    click("Build a formula…");
    click("Statement sheet…");
    const company = { id, name: BAKERY };
    expect(opened).toEqual([
      ["build", { company }],
      ["sheets", { company }],
    ]);
  });

  it("copy the id, and select it if the clipboard is unavailable", async () => {
    const { copied, deny } = openClipboard();
    const { id } = await openBakery();
    click("Copy id");
    await screen.findByText("Copied.");
    expect(copied).toEqual([id]);
    deny();
    click("Copy id");
    await screen.findByText(/^The browser let nothing be copied\. Press Ctrl\+C/);
    expect(String(getSelection())).toBe(id);
  });
});

/** A name that formulas have. */
const NAMED = { name: "Sakura", country: "JPN" };
const USE = "Use for “Sakura” in this workbook";

/** Opens the part to choose the company of a name, which formulas for figures have. */
async function choose() {
  const opened = await page.openIndexed({ initialTask: { name: "", named: NAMED } });
  const { financials, queryCache } = opened.session.feed;
  queryCache.observe(financials.query(NAMED, { year: 2023 }), () => {});
  return opened;
}

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

it("a notice about a company ends when another one is opened", async () => {
  await page.openIndexed();
  await openCompany("sakura bak", BAKERY);
  click("Id");
  await screen.findByText(/^Inserted at/);
  click(/Back to the results/);
  expect(screen.getByText(/^Inserted at/)).toBeTruthy();
  await openCompany("sakura logi", LISTED);
  expect(screen.queryByText(/^Inserted at/)).toBeNull();
});
