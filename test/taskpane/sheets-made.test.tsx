/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { screen, waitFor } from "@testing-library/react/pure";
import type { Session } from "../../src/session/session";
import { type MadeSheet, toPolicies } from "../../src/session/settings";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createFakeWorkbook } from "./fake-workbook";
import { checkAccess, closeSheets, openSheets, pick, press } from "./sheets-page";

let companion: RunningCompanion;

beforeAll(async () => {
  companion = await startCompanion({ companies: 100 });
});
afterEach(closeSheets);
afterAll(() => companion.close());

const open = (options: Partial<Parameters<typeof openSheets>[0]> = {}) =>
  openSheets({ origin: companion.origin, ...options });

/** Subscribes to a month on each of two sheets, as their cells do, until each has its answer. */
async function watchMonths({ feed, calls }: Session): Promise<void> {
  for (const [sheet, month] of [
    ["Ranking", "01"],
    ["Peers", "02"],
  ]) {
    const range = { start: `2024-${month}-01T00:00:00`, end: `2024-${month}-02T23:59:59` };
    const query = feed.rankings.queryCompanies(range, 5);
    const address = `${sheet}!A8`;
    calls.add({
      name: "RANKING",
      given: { start: range.start },
      address,
      queries: [query],
      error: null,
      shown: null,
      findOrigin: () => ({ error: null, places: [] }),
      reread() {},
    });
    await new Promise<void>((resolve) => {
      feed.queryCache.observe(query, ({ status }) => status === "answered" && resolve());
    });
  }
}

describe("the sheets of a workbook", () => {
  const made: MadeSheet[] = [
    { name: "Ranking", template: "ranking" },
    { name: "Peers", template: "comparison" },
  ];

  it("give instructions if there are none", async () => {
    open();
    expect(screen.getByText(/None yet\. Choose what you need above/)).toBeTruthy();
    expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
      "New sheet",
      "Sheets made here",
      "Refresh",
    ]);
    await checkAccess();
  });

  it("come first when there are some, and are shown by name", async () => {
    const { workbook } = open({ made });
    expect(screen.getAllByRole("heading")[0]?.textContent).toBe("Sheets made here");
    press("Show Peers");
    await waitFor(async () => expect((await workbook.readSelection()).sheet).toBe("Peers"));
    await checkAccess();
  });

  it("leave the list if they were deleted and the person confirms, and stay if they cannot be shown now", async () => {
    const { workbook, stored } = open({ made });
    workbook.refuse("editing");
    press("Show Ranking");
    await screen.findByText(/A cell is being edited/);
    workbook.refuse("missing");
    press("Refresh Ranking");
    await screen.findByText('There is no sheet "Ranking" in this workbook any more.');
    expect(screen.getByRole("button", { name: "Show Ranking" })).toBeTruthy();
    expect(stored).toEqual([]);
    press("Take off the list");
    expect(screen.queryByRole("button", { name: "Show Ranking" })).toBeNull();
    expect(stored).toEqual([{ sheets: [made[1]] }]);
  });

  it("can be refreshed alone, with the number of cells with unknown formulas", async () => {
    const cells = [
      { sheet: "Peers", address: "A8", formula: '=FEED.RANKING("2024-02-01T00:00:00")', value: 1 },
      { sheet: "Peers", address: "B1", formula: '=FEED.RANKING("2023-02-01T00:00:00")', value: 1 },
    ];
    const { session } = open({ made, workbook: createFakeWorkbook(cells) });
    await session.connect();
    await watchMonths(session);
    const before = companion.controls.count();
    press("Refresh Peers");
    await screen.findByText(/^1 formula refreshed\. Of 1 cell it is not known which live formulas they hold/);
    expect(companion.controls.count()).toBe(before + 1);
    press("Refresh now");
    await screen.findByText("2 formulas refreshed.");
    expect(screen.getByText(/Last at .*: 2 answers refreshed\./)).toBeTruthy();
  });
});

describe("the refresh of a workbook", () => {
  it("runs on opening by default, or as chosen, which is stored", async () => {
    const { stored, session } = open();
    await session.connect();
    expect(screen.queryByText(/Next at/)).toBeNull();
    pick("Refresh automatically", "Every 5 minutes");
    expect(await screen.findByText(/Next at \d/)).toBeTruthy();
    expect(stored).toEqual([{ refresh: toPolicies("every-5") }]);
    session.disconnect();
    expect(await screen.findByText("Waits until there is a connection.")).toBeTruthy();
    pick("Refresh automatically", "By hand only");
    expect(screen.queryByText("Waits until there is a connection.")).toBeNull();
  });

  it("warns about manual calculation before anything is sent", async () => {
    const workbook = createFakeWorkbook();
    const { session } = open({ workbook: { ...workbook, isManual: async () => true } });
    await session.connect();
    const before = companion.controls.count();
    pick("Refresh automatically", "Every hour");
    await screen.findByText(/Excel calculates by hand only/);
    press("Close");
    press("Refresh now");
    await screen.findByRole("button", { name: "Refresh anyway" });
    expect(companion.controls.count()).toBe(before);
  });
});
