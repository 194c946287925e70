/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { screen, waitFor } from "@testing-library/react/pure";
import {
  checkAccess,
  choose,
  companion,
  field,
  isDisabled,
  openBuild,
  press,
  readPreview,
  readText,
  serveBuild,
  session,
  write,
} from "./build-page";
import { createFakeWorkbook } from "./fake-workbook";

serveBuild();

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

  it("open the selected cell's formula, and write it back there", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!B5", { formula: '=FEED.RANKING("2024-01",,10)' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText("Formula of Sheet1!B5");
    expect(field("Data").value).toBe("RANKING");
    write("Rows", "3");
    press("Replace formula in Sheet1!B5");
    await screen.findByText("Inserted at Sheet1!B5.");
    expect(workbook.cells.get("Sheet1!B5")).toEqual({ formula: '=FEED.RANKING("2024-01", , 3)' });
  });

  it("ask before they replace what was entered since the formula was opened", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!B5", { formula: '=FEED.RANKING("2024-01",,10)' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText("Formula of Sheet1!B5");
    write("Rows", "3");
    workbook.cells.set("Sheet1!B5", "my own number");
    press("Replace formula in Sheet1!B5");
    await screen.findByText(/^Sheet1!B5 holds something already/);
    expect(workbook.cells.get("Sheet1!B5")).toBe("my own number");
  });

  it.each([
    ["replaces a formula elsewhere that is as it was opened", '=FEED.PEERS("5010401012345")', "Inserted at Peers!C3."],
    ["asks before it replaces one elsewhere that is another", '=FEED.PEERS("1")', /^Peers!C3 holds something already/],
  ])("%s", async (_, formula, said) => {
    const place = { sheet: "Peers", address: "C3" };
    const workbook = createFakeWorkbook([{ ...place, formula, value: 1 }]);
    workbook.cells.set("Peers!C3", { formula });
    await openBuild({ workbook, initialTask: { formula: '=FEED.PEERS( "5010401012345" )', place } });
    press("Replace formula in Peers!C3");
    await screen.findByText(said);
  });

  it("show what a formula's name means in the workbook, and take that back", async () => {
    const { workbook } = await openBuild();
    const named = { name: "Kept", country: session.settings.country };
    session.feed.resolutions.adopt([{ ...named, companyId: "kept", companyName: "Kept Foods" }]);
    workbook.cells.set("Sheet1!B5", { formula: '=FEED.FINANCIAL("Kept", 2023, "Revenue")' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText("“Kept” means Kept Foods in this workbook (kept).");
    await checkAccess();
    await screen.findByRole("button", { name: "Forget this choice" });
    press("Forget this choice");
    await waitFor(() => expect(screen.queryByText(/ means Kept Foods in this workbook/)).toBeNull());
    expect(session.feed.resolutions.find(named)).toBeNull();
    expect(screen.getByText("The choice of a company for “Kept” is forgotten.")).toBeTruthy();
  });

  it("offer a cell's formula, rather than open it, once something is written", async () => {
    const { workbook } = await openBuild();
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

  it("report that a formula inside another one is edited in its cell", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!B5", { formula: '=SUM(FEED.RANKING("2024-01"))/2' });
    workbook.select({ sheet: "Sheet1", address: "B5" });
    await screen.findByText(/^Sheet1!B5 holds a formula of the add-in among/);
    expect(screen.getByText('=SUM(FEED.RANKING("2024-01"))/2')).toBeTruthy();
    await checkAccess();
  });

  it("open a formula sent by another part, in its place", async () => {
    const initialTask = { formula: '=FEED.PEERS("5010401012345")', place: { sheet: "Peers", address: "C3" } };
    await openBuild({ initialTask });
    expect(readText()).toBe('=FEED.PEERS("5010401012345")');
    expect(screen.getByRole("button", { name: "Replace formula in Peers!C3" })).toBeTruthy();
  });

  it("ask before they replace a cell's content", async () => {
    const { workbook } = await openBuild();
    workbook.cells.set("Sheet1!A1", "mine");
    choose("STATUS");
    press("Insert at Sheet1!A1");
    await screen.findByText(/^Sheet1!A1 holds something already/);
    expect(workbook.cells.get("Sheet1!A1")).toBe("mine");
    press("Replace");
    await screen.findByText("Inserted at Sheet1!A1.");
  });
});
