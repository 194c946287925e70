/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import axe from "axe-core";
import { createPorts, type Ports } from "../../src/feed/ports";
import { createSession, type Session } from "../../src/session/session";
import { Build } from "../../src/taskpane/Build";
import type { Wishes } from "../../src/taskpane/pane";
import { toTexts } from "../../src/taskpane/texts";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { installCustomFunctions } from "../support/formula-cells";
import { readSignatures } from "../support/formula-signatures";
import { createGate } from "./gate";
import { openPart } from "./open-pane";
import { createPaperWorkbook } from "./paper-workbook";

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  configure({ asyncUtilTimeout: 20_000, defaultHidden: true }); // what is styled away is looked at in a browser
  installCustomFunctions();
  companion = await startCompanion({ companies: 60 });
  // The files that Excel is told of lie beside the page, which in a test is nowhere.
  document.head.append(Object.assign(document.createElement("base"), { href: `${companion.origin}/` }));
});
beforeEach(() => companion.controls.reset());
afterEach(() => {
  cleanup();
  session.feed.watch.close();
});
afterAll(() => companion.close());

interface Options {
  wish?: Wishes["build"];
  language?: string;
  ports?: Ports;
  workbook?: ReturnType<typeof createPaperWorkbook>;
}

/** Opens the part as the pane does, in a page that runs the formulas too. */
async function open({
  wish,
  language = "en-US",
  ports = createPorts(),
  workbook = createPaperWorkbook(),
}: Options = {}) {
  session = createSession({ ports, companionUrl: companion.origin });
  jest.isolateModules(() => {
    jest.doMock("../../src/session/current", () => ({ session }));
    require("../../src/functions");
  });
  await session.connect();
  const opened = openPart(
    session,
    // As the pane puts it.
    <div role="tabpanel" aria-label="Build">
      <Build wish={wish} />
    </div>,
    { texts: toTexts(language), workbook },
  );
  await screen.findByRole("combobox", { name: language === "en-US" ? "Data" : "データ" });
  return { ...opened, workbook };
}

/** The first private company that has financials. */
async function findCompany(): Promise<{ id: string; name: string }> {
  const { rows } = await new Promise<{ rows: readonly Record<string, unknown>[] }>((resolve) => {
    const question = session.feed.companies.askSearch({ country: "JPN", identifier: undefined, sort: undefined }, 3);
    session.feed.watch.watch(question, (state) => state.status === "answered" && resolve(state.answer.value));
  });
  return { id: String(rows[0]?.id), name: String(rows[0]?.companyName) };
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("combobox", { name });
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const choose = (formula: string) => write("Data", formula);
const isDisabled = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-disabled") === "true";

/** A clock on which a person's pauses last until they are ended. */
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

/** The first rows of the preview, once it is whole. */
async function readPreview(): Promise<string[][]> {
  const table = within(await screen.findByRole("table"));
  await waitFor(() => expect(screen.queryByRole("progressbar", { name: "Preview" })).toBeNull());
  return table.getAllByRole("row").map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
}

/** What the cell will hold. */
const readText = () => document.querySelector("section > code")?.textContent;

async function checkAccess(): Promise<void> {
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  // A part of the pane: headings above and landmarks around it stand elsewhere.
  const rules = {
    "color-contrast": { enabled: false },
    region: { enabled: false },
    "page-has-heading-one": { enabled: false },
  };
  const { violations } = await axe.run(page, { rules });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe("the part that builds formulas", () => {
  it("needs a company alone for a first figure, and shows it before it stands in a cell", async () => {
    const { workbook } = await open();
    const { id } = await findCompany();
    expect(screen.getByText("To see a preview, fill in: Company.")).toBeTruthy();
    expect(isDisabled("Insert at Sheet1!A1")).toBe(true);
    await checkAccess();
    write("Company", id);
    fireEvent.blur(field("Company"));
    expect(readText()).toBe(`=FEED.FINANCIAL("${id}", "FY0", "Revenue")`);
    expect(await readPreview()).toEqual([[expect.stringMatching(/^\d+$/)]]);
    await screen.findByText("1 request; none now, since the answer is here already.");
    await checkAccess();
    press("Insert at Sheet1!A1");
    await screen.findByText("Inserted at Sheet1!A1.");
    expect(workbook.cells.get("Sheet1!A1")).toEqual({ formula: `=FEED.FINANCIAL("${id}", "FY0", "Revenue")` });
    expect(companion.controls.count("getCompanyFinancials")).toBe(1);
  });

  it("finds the company by its name, by keyboard", async () => {
    await open();
    const box = field("Company");
    box.focus();
    write("Company", "sakura");
    await screen.findAllByText(/Sakura|さくら/);
    fireEvent.keyDown(box, { key: "ArrowDown" });
    fireEvent.keyDown(box, { key: "Enter" });
    const chosen = await screen.findByRole("button", { name: /^Remove .*(Sakura|さくら)/ });
    expect(readText()).toMatch(/^=FEED\.FINANCIAL\("[0-9a-f-]{36}", "FY0", "Revenue"\)$/);
    fireEvent.click(chosen);
    expect(readText()).toBe('=FEED.FINANCIAL(, "FY0", "Revenue")');
  });

  it("says that nobody has a name, and sends the person to where names are looked for", async () => {
    const { opened } = await open();
    write("Company", "qqqqqq");
    await screen.findByText(/^No company fits qqqqqq\./);
    press("Look in Find");
    expect(opened).toEqual([["find", { name: "qqqqqq" }]]);
  });

  it("begins with the company that another part hands over, by its name", async () => {
    const wish = { company: { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "Sakura Foods" } };
    await open({ wish });
    expect(screen.getByRole("button", { name: "Remove Sakura Foods" })).toBeTruthy();
    expect(readText()).toContain(wish.company.id);
  });

  it("has each formula that Excel is told of, with help, and begins it so that little is missing", async () => {
    await open();
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

  it("shows the first five rows and columns of a table, and how large it is", async () => {
    await open();
    choose("RANKING");
    expect(readText()).toBe('=FEED.RANKING("-7d", , 25)');
    const rows = await readPreview();
    expect(rows).toHaveLength(5);
    expect(rows[0]).toHaveLength(5);
    expect(screen.getByText(/^26 rows × 9 columns in all$/)).toBeTruthy();
  });

  it("keeps what a person wrote when she takes another formula, and nothing else", async () => {
    await open();
    write("Fiscal year", "2023");
    choose("FINANCIALS");
    expect(readText()).toBe("=FEED.FINANCIALS(, 2023)");
  });

  it("asks once when writing has paused, not at each letter", async () => {
    const pauses = createPauses();
    await open({ ports: pauses.ports });
    choose("RANKING");
    for (const rows of ["1", "10", "100"]) {
      write("Rows", rows);
      await fetch(`${companion.origin}/functions.json`); // time enough for who does not wait
    }
    pauses.end();
    await readPreview();
    expect(companion.controls.count("rankCompanies")).toBe(1);
  });

  it("asks before it sends more than a few requests", async () => {
    await open();
    choose("UNIVERSE");
    write("Rows", "all");
    const show = await screen.findByRole("button", { name: "Show preview" });
    expect(session.feed.watch.live()).toEqual([]);
    fireEvent.click(show);
    await readPreview();
    expect(screen.getByText(/^[\d,]+ rows × 9 columns in all$/)).toBeTruthy();
  });

  it("says how far a long list has come, and leaves it when the form changes", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await open({ ports: gate.ports });
    choose("UNIVERSE");
    write("Rows", "all");
    fireEvent.click(await screen.findByRole("button", { name: "Show preview" }));
    await gate.reached;
    await screen.findByText(/^1,001 of [\d,]+ rows so far…$/);
    expect(screen.getByRole("progressbar", { name: "Preview" })).toBeTruthy();
    await checkAccess();
    choose("STATUS");
    expect(await readPreview()).toEqual([["sample data"]]);
    expect(session.feed.watch.live()).toEqual([]);
    gate.open();
  });

  it("stops what it shows while another part is shown, and shows it again", async () => {
    await open();
    choose("RANKING");
    await readPreview();
    const panel = screen.getByRole("tabpanel");
    panel.hidden = true;
    await waitFor(() => expect(session.feed.watch.live()).toEqual([]));
    panel.hidden = false;
    await readPreview();
    expect(session.feed.watch.live()).toHaveLength(1);
  });

  it("says in words what is wrong, and what to do", async () => {
    await open();
    choose("RANKING");
    write("Period", "soon");
    await screen.findByText(/^start must be a date/);
    expect(screen.getByText(/orrect the argument/)).toBeTruthy();
    expect(screen.getByText("FEED_ARGUMENT_INVALID")).toBeTruthy();
    write("Period", "=SUM(A1");
    expect(screen.getByText(/^A bracket or a quotation mark is not closed/)).toBeTruthy();
    expect(isDisabled("Insert at Sheet1!A1")).toBe(true);
  });

  it("reads cells from the workbook, and again when asked", async () => {
    const { workbook } = await open();
    choose("RANKING");
    workbook.cells.set("Sheet1!B1", "2024-01");
    workbook.select({ sheet: "Sheet1", address: "B1" });
    press("Period: use the selected cells");
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

  it("opens the formula of the cell that is selected, and writes it back there", async () => {
    const { workbook } = await open();
    workbook.cells.set("Sheet1!B5", { formula: '=FEED.RANKING("2024-01",,10)' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText("Formula of Sheet1!B5");
    expect(field("Data").value).toBe("RANKING");
    write("Rows", "3");
    press("Replace formula in Sheet1!B5");
    await screen.findByText("Inserted at Sheet1!B5.");
    expect(workbook.cells.get("Sheet1!B5")).toEqual({ formula: '=FEED.RANKING("2024-01", , 3)' });
  });

  it("offers a cell's formula instead of opening it where something has been written", async () => {
    const { workbook } = await open();
    workbook.cells.set("Sheet1!B5", { formula: '=_xldudf_FEED_RANKING_INDUSTRIES("2024-01")' });
    write("Fiscal year", "2020");
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByRole("button", { name: "Edit the formula of Sheet1!B5" });
    expect(field("Fiscal year").value).toBe("2020");
    press("Edit the formula of Sheet1!B5");
    expect(field("Data").value).toBe("RANKING.INDUSTRIES");
    press("New formula");
    expect(field("Data").value).toBe("FINANCIAL");
  });

  it("says that a formula among other things is edited in its cell", async () => {
    const { workbook } = await open();
    workbook.cells.set("Sheet1!B5", { formula: '=SUM(FEED.RANKING("2024-01"))/2' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText(/^Sheet1!B5 holds more than one formula/);
    expect(screen.getByText('=SUM(FEED.RANKING("2024-01"))/2')).toBeTruthy();
    await checkAccess();
  });

  it("opens the formula that another part sends, in its place", async () => {
    const wish = { formula: '=FEED.PEERS("5010401012345")', place: { sheet: "Peers", address: "C3" } };
    await open({ wish });
    expect(readText()).toBe('=FEED.PEERS("5010401012345")');
    expect(screen.getByRole("button", { name: "Replace formula in Peers!C3" })).toBeTruthy();
  });

  it("replaces what stands in a cell only after asking", async () => {
    const { workbook } = await open();
    workbook.cells.set("Sheet1!A1", "mine");
    choose("STATUS");
    press("Insert at Sheet1!A1");
    await screen.findByText(/^Sheet1!A1 holds something already/);
    expect(workbook.cells.get("Sheet1!A1")).toBe("mine");
    press("Replace");
    await screen.findByText("Inserted at Sheet1!A1.");
  });

  it("speaks Japanese", async () => {
    await open({ language: "ja-JP" });
    expect(screen.getByText("プレビューを表示するには、次を入力してください: 企業")).toBeTruthy();
    write("データ", "RANKING");
    await screen.findByText("全 26 行 × 9 列");
    expect(screen.getByRole("button", { name: "Sheet1!A1 に挿入" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "RANKING のヘルプ" }).getAttribute("href")).toBe(
      "/reference/ja/RANKING.html",
    );
    await checkAccess();
  });
});
