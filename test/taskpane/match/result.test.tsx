/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { checkAccess } from "../find-page";
import { createMatchPage, findButton, pressButton, readColumn } from "./match-page";

const page = createMatchPage();

beforeAll(page.start);
beforeEach(page.begin);
afterEach(page.leave);
afterAll(page.close);

/** Each is the only company of its name. */
const BAKERY = "株式会社朝霧ベーカリー";
const LOGISTICS = "コモレビ物流株式会社";

const { matchNames: start } = page;

/** Matches both names and accepts their companies. */
async function acceptBoth() {
  const opened = await start([[BAKERY], [LOGISTICS]]);
  await pressButton("Accept 2");
  return opened;
}

/** Asks for the ids where B2, B3 or both hold something, until the pane asks whether to replace that. */
async function askToReplace(...occupied: string[]) {
  const opened = await acceptBoth();
  for (const cell of occupied) opened.workbook.cells.set(`Sheet1!${cell}`, "mine");
  await pressButton("Write ids into B2:B3");
  await waitFor(() => findButton("Replace"));
  return opened;
}

describe("the result", () => {
  it("replaces nothing unasked, and is taken back by one press", async () => {
    const { session, workbook } = await acceptBoth();
    workbook.cells.set("Sheet1!B3", "mine");
    await pressButton("Write ids into B2:B3");
    await screen.findByText("1 cell of Sheet1!B2:B3 holds something else. Replace?");
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, "mine"]);
    await pressButton("Replace");
    await screen.findByText("2 ids written into Sheet1!B2:B3.");
    const ids = session.feed.resolutions.list().map(({ companyId }) => companyId);
    expect(readColumn(workbook.cells, "B", 2)).toEqual(ids);
    await checkAccess();
    await pressButton("Match");
    await screen.findByRole("tab", { name: "Decided 2" });
    await pressButton("Undo");
    await screen.findByText("Sheet1!B2:B3 is as before.");
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, "mine"]);
  });

  it("is not written beside names that have moved since they were read", async () => {
    const { workbook } = await acceptBoth();
    workbook.cells.set("Sheet1!A2", LOGISTICS).set("Sheet1!A3", BAKERY);
    await pressButton("Write ids into B2:B3");
    await screen.findByText(/^The names have changed since they were read\./);
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, null]);
    await pressButton("Match");
    await waitFor(() => expect(screen.queryByText(/^The names have changed since they were read\./)).toBeNull());
  });

  it("can be a formula", async () => {
    const { workbook } = await start([[BAKERY], [LOGISTICS]]);
    await pressButton("Write a formula into B2");
    await screen.findByText("The formula is in Sheet1!B2:E3.");
    expect(workbook.cells.get("Sheet1!B2")).toEqual({ formula: "=FEED.COMPANY.MATCH(A2:A3, , , , FALSE)" });
  });

  it("is asked about anew where rows have moved before the confirmation", async () => {
    const { workbook } = await askToReplace("B3");
    workbook.cells.set("Sheet1!A2", LOGISTICS).set("Sheet1!A3", BAKERY);
    await pressButton("Replace");
    await screen.findByText(/^The names have changed since they were read\./);
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, "mine"]);
  });

  it("is asked about anew where another cell has come to hold something before the confirmation", async () => {
    const { workbook } = await askToReplace("B3");
    workbook.cells.set("Sheet1!B2", "mine too");
    await pressButton("Replace");
    await screen.findByText("2 cells of Sheet1!B2:B3 hold something else. Replace?");
    expect(readColumn(workbook.cells, "B", 2)).toEqual(["mine too", "mine"]);
  });

  it("is of the decisions at the confirmation", async () => {
    const { session, workbook } = await askToReplace("B2", "B3");
    fireEvent.click(screen.getByRole("tab", { name: "Decided 2" }));
    await pressButton(`Change the company of ${BAKERY}`);
    await pressButton("None of these");
    await pressButton("Replace");
    await screen.findByText("1 id written into Sheet1!B2:B3.");
    const ids = session.feed.resolutions.list().map(({ companyId }) => companyId);
    expect(readColumn(workbook.cells, "B", 2)).toEqual(["mine", ids[1]]);
  });

  it("is written once by two presses", async () => {
    const { workbook } = await acceptBoth();
    const button = screen.getByRole("button", { name: "Write ids into B2:B3" });
    fireEvent.click(button);
    fireEvent.click(button);
    await screen.findByText("2 ids written into Sheet1!B2:B3.");
    expect(screen.queryByText(/^Nothing is written|holds this already/)).toBeNull();
    await pressButton("Undo");
    await screen.findByText("Sheet1!B2:B3 is as before.");
    expect(readColumn(workbook.cells, "B", 2)).toEqual([null, null]);
  });

  it("is undone one writing after the other, the last one first", async () => {
    const { session, workbook } = await start([[BAKERY], ["Qqqqzz"]]);
    await pressButton("Accept 1");
    await pressButton("Write ids into B2:B3");
    await screen.findByText("1 id written into Sheet1!B2:B3.");
    session.feed.resolutions.record({ name: "Qqqqzz", country: "JPN", companyId: "z1", companyName: "Z" });
    await screen.findByRole("tab", { name: "Decided 2" });
    workbook.cells.set("Sheet1!B3", "mine");
    await pressButton("Write ids into B2:B3");
    await pressButton("Replace");
    await waitFor(() => expect(readColumn(workbook.cells, "B", 2)[1]).toBe("z1"));
    await pressButton("Undo");
    await waitFor(() => expect(readColumn(workbook.cells, "B", 2)[1]).toBe("mine"));
    await pressButton("Undo");
    await waitFor(() => expect(readColumn(workbook.cells, "B", 2)).toEqual([null, "mine"]));
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  it("says so where nothing can be undone", async () => {
    const { workbook } = await acceptBoth();
    await pressButton("Write ids into B2:B3");
    await waitFor(() => findButton("Undo"));
    workbook.cells.set("Sheet1!B2", "mine").set("Sheet1!B3", "mine");
    await pressButton("Undo");
    await screen.findByText("Nothing is undone: the cells of Sheet1!B2:B3 have changed or moved since.");
    expect(readColumn(workbook.cells, "B", 2)).toEqual(["mine", "mine"]);
  });
});
