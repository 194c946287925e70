/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen } from "@testing-library/react/pure";
import { Sources } from "../../src/taskpane/this-cell/QueryFacts";
import { openPart } from "./open-pane";
import { at, checkAccess, openForEach, readJson, section, select, show } from "./this-cell-page";

const FIGURE = "The value in the answer, with its statement and year";

openForEach();

describe("a request's trace id", () => {
  it("is copied for support", async () => {
    const traceId = "7f1c2f8e-1a55-4f3e-9a0e-2b8f5d7f0c11";
    openPart(at.page.session, <Sources sources={[{ operation: "rankCompanies", sentAtMs: Date.now(), traceId }]} />);
    const written: string[] = [];
    const clipboard = { writeText: async (text: string) => void written.push(text) };
    Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
    fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
    await screen.findByText("Copied.");
    expect(written).toEqual([traceId]);
    clipboard.writeText = () => Promise.reject(new Error("denied"));
    fireEvent.click(screen.getByRole("button", { name: "Copy traceId" }));
    await screen.findByText(/^The browser let nothing be copied/);
    expect(String(getSelection())).toBe(traceId);
    await checkAccess();
  });
});

describe("the copied JSON", () => {
  it("is the one shown; if the browser cannot copy, it is selected", async () => {
    await at.page.type("FINANCIAL", "Model!B2", [[at.ids[0]]], [[2023]], [["Revenue"]]);
    const { workbook } = show({ "Model!B2": `=FEED.FINANCIAL("${at.ids[0]}", 2023, "Revenue")` });
    await select(workbook, "B2");
    const written: string[] = [];
    const clipboard = { writeText: async (text: string) => void written.push(text) };
    Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
    fireEvent.click(await section().findByRole("button", { name: "Copy JSON" }));
    await screen.findByText("Copied.");
    expect(JSON.parse(written[0] ?? "")).toEqual(readJson(FIGURE));
    clipboard.writeText = () => Promise.reject(new Error("denied"));
    fireEvent.click(section().getByRole("button", { name: "Copy JSON" }));
    await screen.findByText(/^The browser let nothing be copied/);
    expect(document.activeElement).toBe(section().getByRole("textbox", { name: FIGURE }));
  });
});
