/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { Sources } from "../../src/taskpane/this-cell/QueryFacts";
import { checkPart } from "./access";
import { openPart } from "./open-pane";
import { openClipboard } from "./pane-sessions";
import {
  at,
  fact,
  openForEach,
  readJson,
  section,
  select,
  show,
  showCell,
  toRevenue,
  typeRevenue,
} from "./this-cell-page";

const FIGURE = "The value in the answer, with its statement and year";
const DAY_S = 24 * 3600;

openForEach();

describe("a request's trace id", () => {
  it("is copied for support", async () => {
    const traceId = "7f1c2f8e-1a55-4f3e-9a0e-2b8f5d7f0c11";
    openPart(at.page.session, <Sources sources={[{ operation: "rankCompanies", sentAtMs: Date.now(), traceId }]} />);
    const { copied, deny } = openClipboard();
    fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
    await screen.findByText("Copied.");
    expect(copied).toEqual([traceId]);
    deny();
    fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
    await screen.findByText(/^The browser let nothing be copied/);
    expect(String(getSelection())).toBe(traceId);
    await checkPart();
  });
});

describe("the copied JSON", () => {
  it("is the one shown; if the browser cannot copy, it is selected", async () => {
    await typeRevenue(at.ids[0]);
    await showCell({ "Model!B2": toRevenue(at.ids[0]) });
    const { copied, deny } = openClipboard();
    fireEvent.click(await section().findByRole("button", { name: "Copy JSON" }));
    await screen.findByText("Copied.");
    expect(JSON.parse(copied[0] ?? "")).toEqual(readJson(FIGURE));
    deny();
    fireEvent.click(section().getByRole("button", { name: "Copy JSON" }));
    await screen.findByText(/^The browser let nothing be copied/);
    expect(document.activeElement).toBe(section().getByRole("textbox", { name: FIGURE }));
  });
});

const FORMULA = '=FEED.RANKING("2024-01-01","2024-01-07",3)';

/** Shows a table's cell that displays what `shown` holds. */
async function showTable(shown: { value: string }, language?: string) {
  await at.page.type("RANKING", "Model!B2", "2024-01-01", "2024-01-07", 3);
  const { workbook } = show({ "Model!B2": FORMULA }, language);
  const { readValues } = workbook;
  workbook.readValues = async (reference) =>
    reference === "Model!B2" ? [[shown.value]] : readValues.call(workbook, reference);
  await select(workbook, "B2");
  return workbook;
}

describe("a cell whose table cannot spill", () => {
  it("says why, and leads to what is in the way", async () => {
    const workbook = await showTable({ value: "#SPILL!" });
    workbook.cells.set("Model!B4", "mine");
    await section().findByText(
      "#SPILL! Its table does not fit: other cells are in the way, or the sheet ends. Empty them, or move the formula.",
    );
    await checkPart();
    fireEvent.click(section().getByRole("button", { name: "Show what is in the way" }));
    await waitFor(async () => expect(await workbook.readSelection()).toMatchObject({ address: "B4" }));
  });

  it("says so in Japanese", async () => {
    await showTable({ value: "#SPILL!" }, "ja-JP");
    await section().findByText(/^#SPILL! ほかのセルに内容があるか、シートの端を超えるため、表を表示できません。/);
    expect(section().getByRole("button", { name: "妨げているセルを表示" })).toBeTruthy();
  });

  it("no longer does once the cell shows its table", async () => {
    const shown = { value: "#SPILL!" };
    const workbook = await showTable(shown);
    await section().findByText(/^#SPILL! /);
    shown.value = "Rank";
    await act(async () => workbook.select({ sheet: "Model", address: "B2" }));
    await waitFor(() => expect(section().queryByText(/^#SPILL! /)).toBeNull());
  });
});

describe("a cell that shows its table", () => {
  it("says nothing of an error", async () => {
    await showTable({ value: "Rank" });
    await section().findByText(/^Row 1, column 1/);
    expect(section().queryByText(/#SPILL!/)).toBeNull();
    expect(section().queryByRole("button", { name: "Show what is in the way" })).toBeNull();
  });
});

/** Makes the companion report this age of the provider's answers. */
function age(seconds: number): void {
  const { ports } = at.page.session;
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

/** Shows a company's cell. */
async function showCompany(): Promise<void> {
  await at.page.type("COMPANY", "Model!B2", [[at.ids[0]]], [["legalName"]]);
  await showCell({ "Model!B2": `=FEED.COMPANY("${at.ids[0]}", "legalName")` });
}

describe("a cell with an answer from the companion's cache", () => {
  it("shows the time the provider gave it, and that it is older than wanted", async () => {
    age(8 * DAY_S);
    await showCompany();
    expect(await fact("As of")).toMatch(/\(8 days ago\)$/);
    expect(await fact("Freshness")).toMatch(/^Older than wanted since .+; refresh to ask again$/);
    expect(await fact("Origin")).toBe("Asked since the pane opened");
  });

  it("is fresh for a time reduced by its age", async () => {
    age(6 * DAY_S);
    await showCompany();
    const [, until = ""] = /^Fresh until (.+)$/.exec((await fact("Freshness")) ?? "") ?? [];
    expect(Math.round((Date.parse(until) - Date.now()) / (DAY_S * 1000))).toBe(1);
  });

  it("shows the time of the newer answer after a refresh", async () => {
    age(8 * DAY_S);
    await showCompany();
    expect(await fact("As of")).toMatch(/\(8 days ago\)$/);
    age(0);
    await act(async () => void (await at.page.session.refresh()));
    await waitFor(async () => expect(await fact("As of")).toMatch(/\(this minute\)$/));
  });
});
