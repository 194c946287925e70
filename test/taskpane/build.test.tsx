/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import type { Resolution } from "../../src/feed/resolutions";
import { createSession, type Session } from "../../src/session/session";
import { Build } from "../../src/taskpane/Build";
import type { Handoffs } from "../../src/taskpane/pane";
import { learn } from "../../src/taskpane/separators";
import { installCustomFunctions } from "../office/custom-functions";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { readSignatures } from "../support/formula-signatures";
import { checkPage } from "./access";
import { createFakeWorkbook } from "./fake-workbook";
import { createGate, createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";

let companion: RunningCompanion;
let session: Session;

/** What the formulas take for their page's session, and the formulas. */
const current = {} as { session: Session };
const formulas: Record<string, Parameters<Session["formulas"]["offer"]>[0][string]> = {};

beforeAll(async () => {
  configure({ defaultHidden: true }); // styles are tested in a browser
  installCustomFunctions();
  jest.doMock("../../src/session/current", () => current);
  current.session = {
    formulas: { offer: (all: typeof formulas) => Object.assign(formulas, all) },
  } as unknown as Session;
  require("../../src/functions");
  companion = await startCompanion({ companies: 60 });
  // functions.json is beside the page, which has no address in a test.
  document.head.append(Object.assign(document.createElement("base"), { href: `${companion.origin}/` }));
});
beforeEach(() => companion.controls.reset());
afterEach(() => {
  cleanup();
  session.feed.queryCache.close();
});
afterAll(() => companion.close());

interface Options {
  initialTask?: Handoffs["build"];
  ports?: Ports;
  workbook?: ReturnType<typeof createFakeWorkbook>;
}

/** Opens the part as the pane does, in a page that also runs the formulas. */
async function openBuild(options: Options = {}) {
  const { initialTask, ports = createHurriedPorts(), workbook = createFakeWorkbook() } = options;
  session = createSession({ ports, companionUrl: companion.origin });
  current.session = session;
  session.formulas.offer(formulas);
  await session.connect();
  const opened = openPart(
    session,
    // Focused as the pane does.
    <div role="tabpanel" aria-label="Build">
      <Build handoff={initialTask} />
    </div>,
    { workbook },
  );
  await screen.findByRole("button", { name: /Sheet1!A1/ }); // it has read its suggestions and the selection
  return { ...opened, workbook };
}

/** The first private company with financials. */
async function findCompanyId(): Promise<string> {
  const { rows } = await awaitAnswer(session.feed, session.feed.companies.querySearch({ country: "JPN" }, 3));
  return String(rows[0]?.id);
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
/** As the keyboard does: a button that disappears must leave the focus to another one. */
const focusAndPress = (name: string) => {
  screen.getByRole("button", { name }).focus();
  press(name);
};
const choose = (formula: string) => write("Data", formula);
const isDisabled = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-disabled") === "true";

/** A clock on which typing pauses last until the test ends them. */
function createPauses() {
  const ports = createPorts();
  const held = new Set<() => void>();
  const after: Ports["after"] = (delayMs, callback) => {
    if (delayMs < 100 || delayMs > 1_000) return ports.after(delayMs, callback);
    held.add(callback);
    return () => void held.delete(callback);
  };
  return {
    ports: { ...ports, after },
    end() {
      for (const callback of held) callback();
    },
  };
}

/** The first rows of the complete preview. */
async function readPreview(): Promise<string[][]> {
  const table = within(await screen.findByRole("table"));
  await waitFor(() => expect(screen.queryByRole("progressbar", { name: "Preview" })).toBeNull());
  return table.getAllByRole("row").map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
}

/** The formula's text. */
const readText = () => document.querySelector("section > code")?.textContent;

/** A part of the pane: headings and landmarks are elsewhere. */
const checkAccess = () => checkPage("region", "page-has-heading-one");

/** The suggested names of companies, once there are some. */
async function readOffers(): Promise<string[]> {
  await waitFor(() => expect(document.querySelector("[role=option]")).toBeTruthy());
  return [...document.querySelectorAll("[role=option]")].map((line) => line.textContent ?? "");
}

describe("Build", () => {
  it("needs a company alone for a first figure, and previews it before it is inserted", async () => {
    const { workbook } = await openBuild();
    const id = await findCompanyId();
    expect(screen.getByText("To see a preview, fill in: Company.")).toBeTruthy();
    expect(isDisabled("Insert at Sheet1!A1")).toBe(true);
    await checkAccess();
    write("Company", id);
    fireEvent.blur(field("Company"));
    expect(readText()).toBe(`=FEED.FINANCIAL("${id}", "FY0", "Revenue")`);
    expect(await readPreview()).toEqual([[expect.stringMatching(/^\d{1,3}(,\d{3})+$/)]]);
    screen.getByText(/ · Revenue · FY\d{4} \(to .*\) · JPY [\d,]+ · consolidated · fetched \d\d:\d\d$/);
    await screen.findByText("1 request; none now, since the answer is here already.");
    await checkAccess();
    focusAndPress("Insert at Sheet1!A1");
    await screen.findByText("Inserted at Sheet1!A1.");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Replace formula in Sheet1!A1"));
    expect(workbook.cells.get("Sheet1!A1")).toEqual({
      formula: `=FEED.FINANCIAL("${id}", "FY0", "Revenue")`,
      format: "#,##0",
    });
    const [[shown = ""] = []] = await readPreview();
    expect(workbook.widths.get("Sheet1!A1")).toEqual([shown.length + 2]);
    expect(companion.controls.count("getCompanyFinancials")).toBe(1);
  });

  it("has basis and unit at hand, with what an empty field means, where a figure may be an amount", async () => {
    await openBuild();
    const isFolded = (name: string) => field(name).closest("details") !== null;
    const read = () => ["Basis", "Unit"].map((name) => [field(name).placeholder, isFolded(name)]);
    const both = ["Annual, consolidated first", "Full amounts, own currency"];
    expect(read()).toEqual(both.map((each) => [each, false]));
    choose("FINANCIALS");
    expect(read()).toEqual(both.map((each) => [each, false]));
    choose("FINANCIAL");
    write("Metric", "currency");
    expect(["Basis", "Unit"].map(isFolded)).toEqual([false, true]);
    await checkAccess();
  });

  it("begins tables of companies with their names, and inserts them in columns that are wide enough", async () => {
    const { workbook } = await openBuild();
    choose("UNIVERSE");
    expect(readText()).toContain('"Company, English name, Ticker, ');
    const [header = []] = await readPreview();
    expect(header.slice(0, 2)).toEqual(["Formal name", "English name"]);
    press("Insert at Sheet1!A1");
    await screen.findByText("Inserted at Sheet1!A1.");
    const widths = workbook.widths.get("Sheet1!A1") ?? [];
    expect([widths.length, widths.at(-1)]).toEqual([7, 38]);
    choose("COMPANIES");
    expect((await readPreview())[0]?.[0]).toBe("Company");
  });

  it("finds the company by its name, by keyboard, and takes none that was found for the text before", async () => {
    const { opened } = await openBuild();
    const box = field("Company");
    box.focus();
    write("Company", "sakura");
    expect(screen.queryByText(/left out\.$/)).toBeNull(); // nothing is searched yet
    for (const name of await readOffers()) expect(name).toMatch(/^[\x20-\x7e]*Sakura.*(Listed · \d|Private)/);
    expect(screen.getByText(/^\d+ companies without financials left out\.$/)).toBeTruthy();
    fireEvent.keyDown(box, { key: "ArrowDown" });
    fireEvent.keyDown(box, { key: "Enter" });
    const chosen = await screen.findByRole("button", { name: /^Remove .*Sakura/ });
    expect(readText()).toMatch(/^=FEED\.FINANCIAL\("[0-9a-f-]{36}", "FY0", "Revenue"\)$/);
    fireEvent.click(chosen);
    expect(readText()).toBe('=FEED.FINANCIAL(, "FY0", "Revenue")');
    write("Company", "qqqqqq");
    await screen.findByText(/^No company fits qqqqqq\./);
    press("Look in Find");
    expect(opened).toEqual([["find", { name: "qqqqqq" }]]);
    write("Company", "sakura");
    await readOffers();
    write("Company", "nobody foods");
    fireEvent.keyDown(field("Company"), { key: "Enter" });
    await screen.findByRole("button", { name: /^Choose a company for nobody foods/ });
    expect(readText()).toBe('=FEED.FINANCIAL("nobody foods", "FY0", "Revenue")');
  });

  it("leaves a name that two companies have to the person", async () => {
    await openBuild();
    choose("CLASSIFICATION");
    write("Company", "さくら食品");
    fireEvent.blur(field("Company"));
    await screen.findByRole("button", { name: "Choose a company for さくら食品" });
  });

  it("starts with a company handed over by another part", async () => {
    const initialTask = { company: { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "Sakura Foods" } };
    await openBuild({ initialTask });
    expect(screen.getByRole("button", { name: "Remove Sakura Foods" })).toBeTruthy();
    expect(readText()).toContain(initialTask.company.id);
  });

  it("offers every registered formula, with help and useful defaults", async () => {
    await openBuild();
    const names = [...field("Data").querySelectorAll("option")].map(({ value }) => value);
    expect(names.sort()).toEqual(readSignatures().map(({ name }) => name));
    for (const name of names) {
      choose(name);
      expect(readText()).toMatch(new RegExp(`^=FEED\\.${name}\\(`));
      expect(screen.getByRole("link", { name: `Help on ${name}` }).getAttribute("href")).toBe(
        `/reference/${name}.html`,
      );
    }
  });

  it("previews the first five rows and columns of a table, and its size", async () => {
    await openBuild();
    choose("RANKING");
    expect(readText()).toBe('=FEED.RANKING("-7d", , 25)');
    const rows = await readPreview();
    expect(rows).toHaveLength(5);
    expect(rows[0]).toHaveLength(5);
    expect(screen.getByText(/^26 rows × 9 columns in all$/)).toBeTruthy();
  });

  it("keeps the person's entries, and no others, when the formula changes", async () => {
    await openBuild();
    write("Fiscal year", "2023");
    choose("FINANCIALS");
    expect(readText()).toBe("=FEED.FINANCIALS(, 2023)");
  });

  it("fetches once after a pause in typing", async () => {
    const pauses = createPauses();
    await openBuild({ ports: pauses.ports });
    choose("RANKING");
    for (const rows of ["1", "10", "100"]) {
      write("Rows", rows);
      await fetch(`${companion.origin}/functions.json`); // time enough for an eager request
    }
    pauses.end();
    await readPreview();
    expect(companion.controls.count("rankCompanies")).toBe(1);
  });

  it("asks before it sends more than a few requests", async () => {
    await openBuild();
    choose("UNIVERSE");
    write("Rows", "all");
    const show = await screen.findByRole("button", { name: "Show preview" });
    expect(session.feed.queryCache.live()).toEqual([]);
    fireEvent.click(show);
    await readPreview();
    expect(screen.getByText(/^[\d,]+ rows × 7 columns in all$/)).toBeTruthy();
  });

  it("shows the progress of a long list, and stops it when the form changes", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await openBuild({ ports: gate.ports });
    choose("UNIVERSE");
    write("Rows", "all");
    fireEvent.click(await screen.findByRole("button", { name: "Show preview" }));
    await gate.reached;
    await screen.findByText(/^1,000 of [\d,]+ rows so far…$/);
    expect(screen.getByRole("progressbar", { name: "Preview" })).toBeTruthy();
    await checkAccess();
    choose("STATUS");
    expect(await readPreview()).toEqual([["sample data"]]);
    expect(session.feed.queryCache.live()).toEqual([]);
    gate.open();
  });

  it("stops its preview while another part is shown, and resumes it", async () => {
    await openBuild();
    choose("RANKING");
    await readPreview();
    const panel = screen.getByRole("tabpanel");
    panel.hidden = true;
    await waitFor(() => expect(session.feed.queryCache.live()).toEqual([]));
    panel.hidden = false;
    await readPreview();
    expect(session.feed.queryCache.live()).toHaveLength(1);
  });

  it("previews figures in their unit, with their currencies and the sentence of each that is none", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!B1", await findCompanyId());
    workbook.cells.set("Sheet1!B2", "00000000-0000-4000-8000-000000000000");
    write("Company", "=Sheet1!B1:B2");
    write("Unit", "m");
    await screen.findByText("JPY ÷ 1m");
    expect(await readPreview()).toEqual([[expect.stringMatching(/^[\d,]+\.\d$/)], ["#N/A"]]);
    screen.getByText(/No company has the id 00000000/);
    screen.getByText("FEED_NOT_FOUND");
  });

  it("explains a mistake and its remedy", async () => {
    await openBuild();
    choose("RANKING");
    write("Period", "soon");
    await screen.findByText(/^start must be a date/);
    expect(screen.getByText(/orrect the argument/)).toBeTruthy();
    expect(screen.getByText("FEED_ARGUMENT_INVALID")).toBeTruthy();
    write("Period", "=SUM(A1");
    expect(screen.getByText(/^A bracket or a quotation mark is not closed/)).toBeTruthy();
    expect(isDisabled("Insert at Sheet1!A1")).toBe(true);
  });
});

describe("Build and the cells", () => {
  it("read cells from the workbook, and again on demand", async () => {
    const { workbook } = await openBuild();
    choose("RANKING");
    workbook.cells.set("Sheet1!B1", "2024-01");
    workbook.select({ sheet: "Sheet1", address: "B1" });
    press("Period: use selected cells");
    await waitFor(() => expect(readText()).toBe("=FEED.RANKING(Sheet1!B1, , 25)"));
    await screen.findByText(/^The formula reads Sheet1!B1 itself/);
    await readPreview();
    workbook.cells.set("Sheet1!B1", "2024-02");
    press("Read the cells again");
    await waitFor(() => expect(companion.controls.count("rankCompanies")).toBe(2));
    workbook.select({ sheet: "Sheet1", address: "C1" });
    await screen.findByRole("button", { name: "Insert at Sheet1!C1" });
    write("Period", "=TODAY()-7");
    await screen.findByText(/^There is no preview of TODAY\(\)-7/);
    expect(isDisabled("Insert at Sheet1!C1")).toBe(false);
  });

  it("read the cells of the opened formula's sheet from another sheet too, as the preview shows", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Model!C6", { formula: "=FEED.RANKING(B1,$C$1,B2:B3,Model!D1)" });
    workbook.cells.set("Model!B1", "2024-01");
    workbook.select({ sheet: "Model", address: "C6" });
    await screen.findByText("Formula of Model!C6");
    expect(readText()).toBe("=FEED.RANKING(B1, $C$1, B2:B3, Model!D1)");
    workbook.select({ sheet: "Sheet5", address: "B1" });
    await screen.findByRole("button", { name: "Insert at Sheet5!B1" });
    const shown = "=FEED.RANKING(Model!B1, Model!$C$1, Model!B2:B3, Model!D1)";
    expect(readText()).toBe(shown);
    press("Insert at Sheet5!B1");
    await screen.findByText("Inserted at Sheet5!B1.");
    expect(workbook.cells.get("Sheet5!B1")).toEqual({ formula: shown });
    await screen.findByText("Formula of Sheet5!B1");
    expect(readText()).toBe(shown);
  });

  it("write to the cell that the button names, though the selection has moved on meanwhile", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Model!C6", { formula: "=FEED.RANKING(B1)" });
    workbook.select({ sheet: "Model", address: "C6" });
    await screen.findByText("Formula of Model!C6");
    workbook.select({ sheet: "Model", address: "F2" });
    await screen.findByRole("button", { name: "Insert at Model!F2" });
    await workbook.show({ sheet: "Sheet5", address: "H7" }); // its event has not come yet
    press("Insert at Model!F2");
    await screen.findByText("Inserted at Model!F2.");
    expect(workbook.cells.get("Model!F2")).toEqual({ formula: "=FEED.RANKING(B1)" });
    expect(workbook.cells.has("Sheet5!H7")).toBe(false);
  });

  it("open the selected cell's formula, ask before they replace what was entered since, and else write it back", async () => {
    const { workbook } = await openBuild();
    const opened = { formula: '=FEED.RANKING("2024-01",,10)' };
    workbook.cells.set("Sheet1!B5", opened);
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText("Formula of Sheet1!B5");
    expect(field("Data").value).toBe("RANKING");
    write("Rows", "3");
    workbook.cells.set("Sheet1!B5", "my own number");
    press("Replace formula in Sheet1!B5");
    await screen.findByText(/^Sheet1!B5 holds something already/);
    expect(workbook.cells.get("Sheet1!B5")).toBe("my own number");
    workbook.cells.set("Sheet1!B5", opened);
    press("Replace formula in Sheet1!B5");
    await screen.findByText("Inserted at Sheet1!B5.");
    expect(workbook.cells.get("Sheet1!B5")).toEqual({ formula: '=FEED.RANKING("2024-01", , 3)' });
  });

  it.each([
    ["replaces a formula elsewhere that is as it was opened", '=FEED.PEERS("5010401012345")', "Inserted at Peers!C3."],
    ["asks before it replaces one elsewhere that is another", '=FEED.PEERS("1")', /^Peers!C3 holds something already/],
  ])("%s", async (_, formula, said) => {
    const place = { sheet: "Peers", address: "C3" };
    const workbook = createFakeWorkbook([{ ...place, formula, value: 1 }]);
    workbook.cells.set("Peers!C3", { formula });
    await openBuild({ workbook, initialTask: { formula: '=FEED.PEERS( "5010401012345" )', place } });
    expect(readText()).toBe('=FEED.PEERS("5010401012345")');
    press("Replace formula in Peers!C3");
    await screen.findByText(said);
  });

  it("show formulas by the separators of the person's Excel, and write them with commas", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!B5", { formula: '=FEED.RANKING("2024-01",,10,,"rank,companyName")' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText("Formula of Sheet1!B5");
    expect(readText()).toBe('=FEED.RANKING("2024-01", , 10, , "rank,companyName")');
    act(() => learn("=FEED.RANKING(A1,A2)", "=FEED.RANKING(A1;A2)", ","));
    expect(readText()).toBe('=FEED.RANKING("2024-01"; ; 10; ; "rank,companyName")');
    expect(screen.getByRole("link", { name: "Help on RANKING" }).getAttribute("href")).toContain(
      "?separators=%3B%2C%5C",
    );
    press("Replace formula in Sheet1!B5");
    await screen.findByText("Inserted at Sheet1!B5.");
    expect(workbook.cells.get("Sheet1!B5")).toEqual({
      formula: '=FEED.RANKING("2024-01", , 10, , "rank,companyName")',
    });
    workbook.cells.set("Sheet1!B9", { formula: '=IF(A1>0.5,FEED.RANKING("-7d,",{1,2}),0)' });
    workbook.select({ sheet: "Sheet1", address: "B9" });
    await screen.findByText('=IF(A1>0,5;FEED.RANKING("-7d,";{1\\2});0)');
    learn("=A(1,2)", "=A(1,2)", ".");
  });

  it("show what a formula's name means in the workbook, and take that back", async () => {
    const { workbook } = await openBuild();
    const named = { name: "Kept", country: session.settings.country };
    const pair = {
      name: "Pair",
      country: named.country,
      companyId: "pair",
      companyName: "Pair Ltd.",
      family: "private",
    };
    session.feed.resolutions.adopt([
      { ...named, companyId: "kept", companyName: "Kept Foods" },
      { ...pair } as Resolution,
    ]);
    workbook.cells.set("Sheet1!B5", { formula: '=FEED.FINANCIAL("Kept", 2023, "Revenue")' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText("“Kept” means Kept Foods in this workbook (kept).");
    await checkAccess();
    await screen.findByRole("button", { name: "Forget this choice" });
    press("Forget this choice");
    await waitFor(() => expect(screen.queryByText(/ means Kept Foods in this workbook/)).toBeNull());
    expect(session.feed.resolutions.find(named)).toBeNull();
    expect(screen.getByText("The choice of a company for “Kept” is forgotten.")).toBeTruthy();
    workbook.cells.set("Sheet1!B6", { formula: '=FEED.FINANCIAL("Pair", 2023, "Revenue")' });
    workbook.select({ sheet: "Sheet1", address: "B6" });
    await screen.findByText(/^“Pair” means Pair Ltd\. in .+\. Its namesakes have no such data\.$/);
  });

  it("offer a cell's formula, rather than open it, once something is written", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!B5", { formula: '=_xldudf_FEED_RANKING_INDUSTRIES("2024-01")' });
    write("Fiscal year", "2020");
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByRole("button", { name: "Edit the formula of Sheet1!B5" });
    expect(field("Fiscal year").value).toBe("2020");
    focusAndPress("Edit the formula of Sheet1!B5");
    expect(field("Data").value).toBe("RANKING.INDUSTRIES");
    expect(document.activeElement?.textContent).toBe("New formula");
    focusAndPress("New formula");
    expect(field("Data").value).toBe("FINANCIAL");
    expect(document.activeElement?.textContent).toBe("Edit the formula of Sheet1!B5");
  });

  it("report that a formula inside another one is edited in its cell", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!B5", { formula: '=SUM(FEED.RANKING("2024-01"))/2' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText(/^Sheet1!B5 holds a formula of the add-in among/);
    expect(screen.getByText('=SUM(FEED.RANKING("2024-01"))/2')).toBeTruthy();
    await checkAccess();
  });
});
