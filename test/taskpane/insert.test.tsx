/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { createSession } from "../../src/session/session";
import { useInsert } from "../../src/taskpane/insert";
import { openPart } from "./open-pane";
import { press, receive, said } from "./pane-sessions";

const OCCUPIED = "Sheet1!A1 holds something already. Replace it, or select another cell.";

afterEach(cleanup);

/** Inserts "new" and "x" into adjacent cells. */
function Writer() {
  const insert = useInsert();
  return (
    <button type="button" onClick={() => void insert({ cells: [["new", "x"]] })}>
      Insert
    </button>
  );
}

function open() {
  const session = createSession({ ports: createPorts(), companionUrl: "https://companion.test" });
  return openPart(session, <Writer />).workbook;
}

describe("inserting", () => {
  it("writes from the active cell on and says where", async () => {
    const workbook = open();
    workbook.select({ sheet: "Sheet1", address: "B2" });
    press("Insert");
    await screen.findByText(/^Inserted at Sheet1!B2/);
    expect([workbook.cells.get("Sheet1!B2"), workbook.cells.get("Sheet1!C2")]).toEqual(["new", "x"]);
  });

  it("replaces the confirmed cells, whatever is selected by then", async () => {
    const workbook = open();
    workbook.cells.set("Sheet1!A1", "old").set("Sheet1!C3", "other");
    press("Insert");
    await screen.findByText(OCCUPIED);
    expect(workbook.cells.get("Sheet1!A1")).toBe("old");
    workbook.select({ sheet: "Sheet1", address: "C3" });
    press("Replace");
    await screen.findByText(/^Inserted at Sheet1!A1/);
    expect([workbook.cells.get("Sheet1!A1"), workbook.cells.get("Sheet1!C3")]).toEqual(["new", "other"]);
  });

  it("is no longer reported once the cells are emptied", async () => {
    const workbook = open();
    press("Insert");
    await receive("Inserted at Sheet1!A1");
    workbook.select({ sheet: "Sheet1", address: "C3" });
    await receive("Inserted at Sheet1!A1");
    workbook.cells.clear();
    workbook.select({ sheet: "Sheet1", address: "C4" });
    await waitFor(() => expect(said()).not.toMatch(/Inserted at/));
  });

  it("writes nothing if the selection is unknown", async () => {
    const workbook = open();
    workbook.refuse("editing");
    press("Insert");
    await screen.findByText(/^A cell is being edited/);
    expect(workbook.cells.size).toBe(0);
  });
});
