/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen } from "@testing-library/react/pure";
import type { CellValue, Place } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import { readNamespace } from "../../src/taskpane/formula-text";
import { checkPage } from "./access";
import { toCall } from "./call";
import { openWholePane, toCell } from "./open-whole-pane";
import { press, receive, serveSessions, session } from "./pane-sessions";

serveSessions();

/** Adds a live formula with an error of its arguments. */
const addCall = (more: Partial<Call>) =>
  session.calls.add(toCall({ error: new Error("FEED_ARGUMENT"), shown: { code: "#VALUE!" }, ...more }));

describe("Repair formulas", () => {
  it("reports the number of formulas that were entered again", async () => {
    openWholePane(session, { cells: [toCell("A1", "#NAME?"), toCell("A2", "#NAME?")] }).press("repair");
    await receive("2 FEED formulas entered again.");
  });

  it("reports that there was none", async () => {
    openWholePane(session).press("repair");
    await receive("No FEED formula in this workbook needs repair");
  });

  it.each([
    ["an address", "[Book1]Sheet1!A2"],
    ["no address, as some hosts leave it out", null],
  ])("leaves out formulas that are live, which have %s", async (_what, address) => {
    const cells = ["A1", "A2", "A3"].map((cell, index) => ({
      ...toCell(cell, "#VALUE!"),
      formula: `=FEED.RANKING("-${index}d")`,
    }));
    const asked: (readonly Place[])[] = [];
    const repair = async (streamless: readonly Place[]) => {
      asked.push(streamless);
      return { formulas: streamless.length, refused: [] };
    };
    addCall({ given: { start: "-1d" }, address });
    openWholePane(session, { cells, workbook: { repair } }).press("repair");
    await receive("2 FEED formulas entered again.");
    expect(asked.map((streamless) => streamless.map((cell) => cell.address))).toEqual([["A1", "A3"]]);
  });

  /** Presses Repair on cells with these formulas and values, and gives the addresses that are entered again. */
  async function pressRepair(cells: readonly (readonly [string, string, CellValue])[], answer: string | RegExp) {
    const asked: string[] = [];
    const repair = async (streamless: readonly Place[]) => {
      asked.push(...streamless.map(({ address }) => address));
      return { formulas: streamless.length, refused: [] };
    };
    const feedCells = cells.map(([address, formula, value]) => ({ ...toCell(address, value), formula }));
    openWholePane(session, { cells: feedCells, workbook: { repair } }).press("repair");
    await receive(answer);
    return asked;
  }

  it("leaves formulas alone that may be live, and counts those that show no value", async () => {
    const given = { company: "c1" };
    addCall({ name: "COMPANY", given, address: "Sheet1!A1", shown: { code: "#VALUE!" } });
    const cells = (["#VALUE!", "#BUSY!", "#VALUE!", "Toyota"] as const).map(
      (value, row) => [`A${row + 1}`, "=FEED.COMPANY([@Id])", value] as const,
    );
    const answer =
      "2 FEED formulas could not be told from live ones and were left alone: Sheet1!A2, Sheet1!A3. Press Ctrl+Alt+F9";
    expect(await pressRepair(cells, answer)).toEqual([]);
  });

  it.each([
    ["#VALUE!", [[1200]], ["A1"]],
    ["#BUSY!", [["Rank"], [1]], ["A1"]],
    ["#VALUE!", { code: "#N/A" }, ["A1"]],
    ["#N/A", [[1200]], []],
    ["#VALUE!", { code: "#VALUE!" }, []],
    ["#VALUE!", [[{ type: "Error", basicType: "Error", basicValue: "#VALUE!" }]], []],
    ["#BUSY!", null, []],
  ])("enters a live formula again if its cell shows %s and Excel was given %j: %j", async (value, shown, expected) => {
    addCall({ given: { start: "-7d" }, shown });
    const answer =
      expected.length > 0 ? "1 FEED formula entered again." : "No FEED formula in this workbook needs repair";
    expect(await pressRepair([["A1", '=FEED.RANKING("-7d")', value]], answer)).toEqual(expected);
  });

  it("leaves a live formula alone if the rest of the cell's formula may be wrong, or its match is uncertain", async () => {
    addCall({ given: { start: "-7d" }, shown: [["text"]] });
    addCall({ name: "COMPANY", given: { company: "c1" }, shown: [["x"]], address: "Sheet1!A2" });
    const cells = [
      ["A1", '=FEED.RANKING("-7d")*2', "#VALUE!"],
      ["A2", "=FEED.COMPANY([@Id])", "#VALUE!"],
    ] as const;
    expect(await pressRepair(cells, "2 FEED formulas could not be told from live ones")).toEqual([]);
  });

  it("takes no output for lost while calculation is manual", async () => {
    addCall({ given: { start: "-7d" }, shown: [[1200]] });
    const cells = [toCell("A1", "#BUSY!")];
    openWholePane(session, { cells, workbook: { isManual: async () => true } }).press("repair");
    await receive("1 FEED formula could not be told from live ones");
  });

  it("names the cells that Excel refused", async () => {
    const repair = async () => ({ formulas: 1, refused: [toCell("B2", "#VALUE!")] });
    openWholePane(session, { workbook: { repair } }).press("repair");
    await receive(/1 FEED formula entered again\..* Excel refused 1 FEED formula: Sheet1!B2\./);
  });

  it("enters the others again meanwhile", async () => {
    addCall({ name: "COMPANY", given: { company: "c1" } });
    const cells = [
      ["A1", '=FEED.COMPANY(B1&"")', "#BUSY!"],
      ["A2", "=FEED.RANKING([@Start])", "#BUSY!"],
    ] as const;
    const answer = /1 FEED formula entered again\..*1 FEED formula could not be told .* was left alone: Sheet1!A1\./;
    expect(await pressRepair(cells, answer)).toEqual(["A2"]);
  });
});

describe("Help", () => {
  it("leads to the page of the selected formula, in the person's language", async () => {
    session.formulas.offer({ RANKING: () => {} });
    const { fake, press: pressRibbon } = openWholePane(session, { language: "ja-JP" });
    fake.cells.set("Sheet1!A1", { formula: '=FEED.RANKNG(A1)+FEED.RANKING("-7d")' });
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "FEED.RANKING のヘルプを開く" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/ja\/RANKING\.html$/);
    expect(link.getAttribute("target")).toBe("_blank");
  });

  it("leads to the list of all formulas if the workbook cannot be read", async () => {
    const { fake, press: pressRibbon } = openWholePane(session);
    fake.refuse("editing");
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "Open the list of all formulas" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/index\.html$/);
  });
});

describe("the pane's own buttons", () => {
  it("equal the ribbon's, and return focus", async () => {
    openWholePane(session);
    const menu = screen.getByRole("button", { name: "Menu" });
    expect(menu.getAttribute("aria-expanded")).toBe("false");
    fireEvent.click(menu);
    expect(menu.getAttribute("aria-expanded")).toBe("true");
    await checkPage("region");
    press("Repair formulas");
    expect(document.activeElement).toBe(menu);
    expect(screen.queryByRole("group", { name: "Menu" })).toBeNull();
    await receive("No FEED formula in this workbook needs repair");
  });

  it.each(["selection", "sheet", "workbook"])("have Thaw %s beside Freeze", (scope) => {
    openWholePane(session);
    fireEvent.click(screen.getByRole("button", { name: "Menu" }));
    const freeze = screen.getByRole("button", { name: `Freeze ${scope}` });
    const group = [...(freeze.parentElement?.children ?? [])];
    expect(group.indexOf(freeze) % 2).toBe(0); // the first of two columns
    expect(freeze.nextElementSibling?.textContent).toBe(`Thaw ${scope}`);
  });

  it("close with Escape", () => {
    openWholePane(session);
    const menu = screen.getByRole("button", { name: "Menu" });
    fireEvent.click(menu);
    const first = screen.getByRole("group", { name: "Menu" }).querySelector("button") as HTMLElement;
    first.focus();
    fireEvent.keyDown(first, { key: "Escape" });
    expect(screen.queryByRole("group", { name: "Menu" })).toBeNull();
    expect(document.activeElement).toBe(menu);
  });
});

describe("the namespace", () => {
  it.each([
    ["", "FEED"],
    ["?namespace=ACME", "ACME"],
    ["?_host_Info=Excel&namespace=ACME2", "ACME2"],
    ["?namespace=acme", "FEED"],
    ["?namespace=A%2BB", "FEED"],
  ])("of a pane at %j is %s", (search, namespace) => {
    expect(readNamespace(search)).toBe(namespace);
  });
});
