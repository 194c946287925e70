/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import { ArgumentError } from "../../src/client/errors";
import type { Ports } from "../../src/client/ports";
import { Requests } from "../../src/taskpane/settings/Requests";
import { toTexts } from "../../src/taskpane/texts";
import { checkPart } from "./access";
import { toCall } from "./call";
import { enter, list, queryDay, show } from "./changes-page";
import { createGate, createHurriedPorts } from "./gate";
import { openPart } from "./open-pane";
import { ALWAYS, begin, companion, findHidden, press, serveSessions, session } from "./pane-sessions";

/** The throttle of the part. */
const PACE_MS = 500;

beforeAll(findHidden);
serveSessions();

describe("the changes without queries", () => {
  it("explains the next step, and opens its part", async () => {
    const { opened } = show();
    expect(screen.getByText(/^No formula asks for anything yet\. Build one/)).toBeTruthy();
    await checkPart();
    press("Build a formula");
    expect(opened).toEqual([["build", undefined]]);
  });

  it("does so in Japanese", () => {
    show("ja-JP");
    expect(screen.getByText(/^データを求める数式はまだありません。/)).toBeTruthy();
  });
});

describe("a hidden part", () => {
  it("renders nothing until it is shown", async () => {
    let looks = 0;
    const ports = createHurriedPorts();
    const after: Ports["after"] = (delayMs, callback) => {
      return ports.after(delayMs, () => {
        if (delayMs === PACE_MS) looks++;
        callback();
      });
    };
    begin({ ...ports, after });
    await session.connect();
    show();
    const page = document.querySelector("main") as HTMLElement;
    page.hidden = true;
    await act(() => enter("Model!A1", "05"));
    const before = looks;
    await waitFor(() => expect(looks).toBeGreaterThan(before + 1));
    expect(screen.getByText(/^No formula asks for anything yet/)).toBeTruthy();
    page.hidden = false;
    await screen.findByText("1 formula is answered.");
  });
});

describe("the live formulas", () => {
  it("are listed by sheet with their queries and the age of their answers", async () => {
    await session.connect();
    await Promise.all([enter("Model!A1", "05"), enter("'Sales 2024'!C7", "06"), enter(null, "07")]);
    show();
    expect(screen.getByText("All 3 formulas are answered.")).toBeTruthy();
    expect(screen.getByText("The oldest answer is from this minute.")).toBeTruthy();
    press(/^Sales 2024/);
    press(/^Place not known/);
    const model = list(/^Model/);
    expect(model.getByRole("button", { name: "RANKING 2024-01-05 – 2024-01-05 · 5 this minute" })).toBeTruthy();
    expect(list(/^Sales 2024/).getByRole("button", { name: "C7", description: "Go to 'Sales 2024'!C7" })).toBeTruthy();
    expect(list(/^Place not known/).getAllByRole("button")).toHaveLength(2); // the sheet's line and the formula's
    expect(screen.getByText("This Excel does not say in which cells these stand.")).toBeTruthy();
    await checkPart();
  });

  it("expand into their requests, with the number of formulas each serves", async () => {
    await session.connect();
    await Promise.all([enter("Model!A1", "05"), enter("Model!A2", "05")]);
    show();
    fireEvent.click(screen.getAllByRole("button", { name: /^RANKING/ })[0] as HTMLElement);
    const details = list(/^Model/).getByText("Requests behind it").parentElement as HTMLElement;
    const [request, ...others] = within(details).getAllByRole("listitem");
    expect(others).toEqual([]);
    expect(request?.textContent).toMatch(/rankCompanies200\d+ ms · [\d.,]+ (k?B) · for 2 formulas$/);
    await checkPart();
  });

  it("that failed come first, with reason, remedy and code", async () => {
    await session.connect();
    await enter("Model!A1", "05");
    companion.controls.answers.rankCompanies = { status: 403, times: ALWAYS };
    await enter("Model!A2", "06");
    const error = new ArgumentError("start is missing; give a day");
    session.calls.add(toCall({ address: "Model!A3", error }));
    show();
    expect(screen.getByText("3 formulas: 1 answered, 1 failed, 1 to correct.")).toBeTruthy();
    const names = list(/^Model .*formulas$/).getAllByRole("button", { name: /^A\d$/ });
    expect(names.map(({ textContent }) => textContent)).toEqual(["A2", "A1"]);
    press(/^RANKING 2024-01-06.* failed$/);
    expect(screen.getByText(/^FEED_SCOPE_MISSING · traceId ./)).toBeTruthy();
    expect(screen.getByText(/ask your administrator or the provider for this data family or country/)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Needs your attention: 1 formula" })).toBeTruthy();
    expect(screen.getByText("start is missing; give a day")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Model!A3" })).toBeTruthy();
    await checkPart();
  });

  it("that failed can be refetched alone", async () => {
    await session.connect();
    await enter("Model!A1", "05");
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    await enter("Model!A2", "06");
    show();
    const before = companion.controls.count("rankCompanies");
    press("Refresh 1 failed formula");
    await screen.findByText(/^1 formula refreshed\./);
    expect(companion.controls.count("rankCompanies")).toBe(before + 1);
    await screen.findByText("All 2 formulas are answered.");
  });

  it("that wait for an answer say so, and show it when it comes", async () => {
    const gate = createGate("/ranking/v1/companies");
    begin(gate.ports);
    await session.connect();
    show();
    const entered = enter("Model!A1", "05");
    await screen.findByText("1 formula: 1 waiting.");
    expect(screen.getByRole("button", { name: /^RANKING.* waiting$/ })).toBeTruthy();
    gate.open();
    await entered;
    await screen.findByText("1 formula is answered.");
  });

  it("whose refresh failed say that they show the old value", async () => {
    await session.connect();
    await enter("Model!A1", "05");
    companion.controls.answers.rankCompanies = { status: 403, times: 1 };
    await session.refresh();
    show("ja-JP");
    expect(screen.getByText("数式 1 個: 未更新 1 個")).toBeTruthy();
    expect(screen.getByRole("button", { name: /未更新/, expanded: false })).toBeTruthy();
  });

  it("lead to their cells, and report that a cell has moved", async () => {
    await session.connect();
    await enter("Model!A1", "05");
    const { workbook } = show();
    workbook.cells.set("Model!A1", { formula: '=FEED.RANKING("2024-01-05")' });
    press("A1");
    await waitFor(async () => expect(await workbook.readSelection()).toMatchObject({ sheet: "Model", address: "A1" }));
    expect(screen.queryByText(/holds no FEED.RANKING now/)).toBeNull();
    workbook.cells.delete("Model!A1");
    press("A1");
    await screen.findByText(/^Model!A1 holds no FEED\.RANKING now: rows, columns or sheets have changed/);
    workbook.refuse("missing");
    press("A1");
    await screen.findByText(/is not there any more/);
  });

  it("open in Build with the formula of their cell", async () => {
    await session.connect();
    await enter("Model!A1", "05");
    const { workbook, opened } = show();
    const formula = '=FEED.RANKING("2024-01-05")';
    workbook.cells.set("Model!A1", { formula });
    press(/^RANKING/);
    press("Edit A1");
    await waitFor(() => expect(opened).toEqual([["build", { formula, place: { sheet: "Model", address: "A1" } }]]));
    workbook.cells.set("Model!A1", "typed over");
    press("Edit A1");
    await screen.findByText(/^Model!A1 holds no FEED\.RANKING now/);
    expect(opened).toHaveLength(1);
  });

  it("use the workbook's namespace", async () => {
    history.replaceState(null, "", "?namespace=ACME");
    const { workbook } = show();
    expect(screen.getByText(/type one such as =ACME\.RANKING\("-7d"\) into a cell\.$/)).toBeTruthy();
    await session.connect();
    await enter("Model!A1", "05");
    workbook.cells.set("Model!A1", { formula: '=FEED.RANKING("2024-01-05")' });
    fireEvent.click(await screen.findByRole("button", { name: "A1" }));
    await screen.findByText(/^Model!A1 holds no ACME\.RANKING now/);
  });

  it("are drawn only as far as they are in sight", async () => {
    await session.connect();
    const queries = [queryDay("05")];
    for (let row = 1; row <= 5_000; row++) session.calls.add(toCall({ queries, address: `Model!A${row}` }));
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Model 5,000 formulas", expanded: false }));
    const lines = within(screen.getByRole("group", { name: "Model: 5,000 formulas" })).getAllByRole("listitem");
    expect(lines.length).toBeLessThan(40);
    expect(lines[0]?.getAttribute("aria-setsize")).toBe("5000");
  });
});

/** Shows the requests, unfolded. */
async function showRequests(language = "en-US") {
  const texts = toTexts(language);
  openPart(session, <Requests />, { texts });
  const fold = screen.getByText(texts.ofActivity.requests).closest("details") as HTMLDetailsElement;
  expect(within(fold).queryByText(texts.ofActivity.requestsHint)).toBeNull();
  fold.open = true;
  fireEvent(fold, new Event("toggle"));
  return within(fold);
}

describe("the requests", () => {
  it("are listed newest first with status, time and size, credential requests marked", async () => {
    await session.connect();
    await enter("Model!A1", "05");
    const requests = await showRequests();
    await requests.findByText(/^The last 200, newest first/);
    const [first, ...others] = requests.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(first).toMatch(/^\d\d:\d\d:\d\drankCompanies200[\d,]+ ms · .+ · for 1 formula$/);
    expect(others.map((text) => text?.replace(/^[\d:]+/, "").replace(/200.*$/, ""))).toEqual(
      expect.arrayContaining(["createToken", "/companion/assertion", "/companion/config"]),
    );
    expect(others.join("\n")).toContain("credentials");
    await checkPart();
  });

  it("say what to do before the first", async () => {
    await (await showRequests("ja-JP")).findByText("リクエストはまだありません。接続するか、数式を入力してください。");
  });
});
