import { beforeEach, describe, expect, it } from "@jest/globals";
import { insert } from "../../src/taskpane/insert";
import { until } from "../support/until";
import { openDesk } from "./desk";

const OCCUPIED = "Sheet1!A1 holds something already. Replace it, or select another cell.";

let opened: ReturnType<typeof openDesk>;
beforeEach(() => {
  opened = openDesk();
});

/** Inserts "new" and "x" into adjacent cells; gives what is said. */
async function insertTwo(): Promise<string> {
  await insert(opened.desk, { cells: [["new", "x"]] });
  return opened.said();
}

describe("inserting", () => {
  it("writes from the active cell on and says where", async () => {
    const { fake } = opened;
    fake.select({ sheet: "Sheet1", address: "B2" });
    expect(await insertTwo()).toBe("Inserted at Sheet1!B2.");
    expect([fake.cells.get("Sheet1!B2"), fake.cells.get("Sheet1!C2")]).toEqual(["new", "x"]);
  });

  it("replaces the confirmed cells, whatever is selected by then", async () => {
    const { fake, press } = opened;
    fake.cells.set("Sheet1!A1", "old").set("Sheet1!C3", "other");
    expect(await insertTwo()).toBe(OCCUPIED);
    expect(fake.cells.get("Sheet1!A1")).toBe("old");
    fake.select({ sheet: "Sheet1", address: "C3" });
    await press("Replace", "Inserted at Sheet1!A1");
    expect([fake.cells.get("Sheet1!A1"), fake.cells.get("Sheet1!C3")]).toEqual(["new", "other"]);
  });

  it("is no longer reported once the cells are emptied", async () => {
    const { fake, notices } = opened;
    await insertTwo();
    let isOver = false;
    notices.at(-1)?.until?.(() => {
      isOver = true;
    });
    fake.select({ sheet: "Sheet1", address: "C3" });
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    fake.cells.clear();
    fake.select({ sheet: "Sheet1", address: "C4" });
    await until(() => isOver);
  });

  it("writes nothing if the selection is unknown", async () => {
    opened.fake.refuse("editing");
    expect(await insertTwo()).toMatch(/^A cell is being edited/);
    expect(opened.fake.cells.size).toBe(0);
  });
});
