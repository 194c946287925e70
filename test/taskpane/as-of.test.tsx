/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import "fake-indexeddb/auto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react/pure";
import { IDBFactory } from "fake-indexeddb";
import type { Company, CompanyPage } from "../../src/contract/types";
import { ThisCell } from "../../src/taskpane/ThisCell";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type CellPage, openCells } from "./cell-page";
import { createFakeWorkbook } from "./fake-workbook";
import { openPart } from "./open-pane";

const DAY_S = 24 * 3600;

let companion: RunningCompanion;
let companyId: string;
let page: CellPage;

beforeAll(async () => {
  companion = await startCompanion({ companies: 60 });
  const read = await createDirectReading(companion.origin);
  const { data } = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=1");
  companyId = (data[0] as Company).id;
});
beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory(); // empty caches
  page = await openCells(companion.origin);
});
afterEach(() => {
  cleanup();
  page.session.feed.queryCache.close();
});
afterAll(() => companion.close());

/** Makes the companion report this age of the provider's answers. */
function age(seconds: number): void {
  const { ports } = page.session;
  const { fetch: send } = ports;
  ports.fetch = async (url, init) => {
    const response = await send(url, init);
    const { status, headers } = response;
    return new Response(await response.text(), {
      status,
      headers: { ...Object.fromEntries(headers), age: `${seconds}` },
    });
  };
}

/** Enters a formula in a cell that is then selected. */
async function select(): Promise<void> {
  const formula = `=FEED.COMPANY("${companyId}", "legalName")`;
  await page.type("COMPANY", "Model!B2", [[companyId]], [["legalName"]]);
  const workbook = createFakeWorkbook([{ sheet: "Model", address: "B2", formula, value: null }]);
  workbook.cells.set("Model!B2", { formula });
  openPart(page.session, <ThisCell />, { workbook });
  await act(async () => workbook.select({ sheet: "Model", address: "B2" }));
}

const fact = async (term: string) => {
  const heading = await screen.findByRole("heading", { name: /^Selected cell/ });
  return (await within(heading.parentElement as HTMLElement).findByText(term)).nextElementSibling?.textContent;
};

describe("a cell with an answer from the companion's cache", () => {
  it("shows the time the provider gave it, and that it is older than wanted", async () => {
    age(8 * DAY_S);
    await select();
    expect(await fact("As of")).toMatch(/\(8 days ago\)$/);
    expect(await fact("Freshness")).toMatch(/^Older than wanted since .+; refresh to ask again$/);
    expect(await fact("Origin")).toBe("Asked since the pane opened");
  });

  it("is fresh for a time reduced by its age", async () => {
    age(6 * DAY_S);
    await select();
    const [, until = ""] = /^Fresh until (.+)$/.exec((await fact("Freshness")) ?? "") ?? [];
    expect(Math.round((Date.parse(until) - Date.now()) / (DAY_S * 1000))).toBe(1);
  });

  it("shows the time of the newer answer after a refresh", async () => {
    age(8 * DAY_S);
    await select();
    expect(await fact("As of")).toMatch(/\(8 days ago\)$/);
    age(0);
    await act(async () => void (await page.session.refresh()));
    await waitFor(async () => expect(await fact("As of")).toMatch(/\(this minute\)$/));
  });
});
