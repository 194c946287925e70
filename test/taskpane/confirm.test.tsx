/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react/pure";
import axe from "axe-core";
import { persistProvider } from "../../src/taskpane/index";
import { Confirm } from "../../src/taskpane/pane/Confirm";
import { toTexts } from "../../src/taskpane/texts";
import { openPart } from "./open-pane";
import { enterFormula } from "./open-whole-pane";
import { openSessions } from "./pane-sessions";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const OTHER = "https://api.example.com";

const opened = openSessions(50);

const countRankings = () => opened.companion.controls.count("rankCompanies");
const enter = (tops: number[]) =>
  act(async () => {
    for (const top of tops)
      enterFormula(opened.session, `Sheet1!A${top}`, opened.session.feed.rankings.queryCompanies(RANGE, top), {});
  });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const findButton = (name: string) => screen.findByRole("button", { name });

async function checkAccess(): Promise<void> {
  const page = { include: [document.body], exclude: [["[data-tabster-dummy]"]] };
  const rules = { "color-contrast": { enabled: false }, "page-has-heading-one": { enabled: false } };
  const { violations } = await axe.run(page, { rules });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe("a request over the budget", () => {
  it("is shown with its cost, shrinks to one line when declined, and is sent when confirmed", async () => {
    opened.session.change({ requestLimit: 3 });
    openPart(opened.session, <Confirm />);
    expect(screen.queryByText(/requests/)).toBeNull();
    await enter([1, 2, 3, 4]);
    const send = await findButton("Send about 4 requests");
    const place = send.closest<HTMLElement>("[role=status]");
    expect(place?.textContent).toContain("takes about 4 requests. More than 3 are sent only when you confirm them");
    await checkAccess();
    press("Not now");
    expect(
      await screen.findByText("About 4 requests wait for you. Their cells show #N/A, or the values of before."),
    ).toBeTruthy();
    await checkAccess();
    expect(countRankings()).toBe(0);
    press("Decide");
    press("Send about 4 requests");
    await waitFor(() => expect(countRankings()).toBe(4));
    expect(within(place as HTMLElement).queryByRole("button")).toBeNull();
  });

  it("is described in Japanese", async () => {
    opened.session.change({ requestLimit: 3 });
    openPart(opened.session, <Confirm />, { texts: toTexts("ja-JP") });
    await enter([1, 2, 3, 4]);
    expect(await findButton("約 4 件のリクエストを送信")).toBeTruthy();
    press("後で");
    expect(await findButton("選択する")).toBeTruthy();
  });
});

describe("a workbook with another provider's values", () => {
  it("is filled when the person confirms this provider, which the workbook stores", async () => {
    opened.session.adopt({ provider: OTHER });
    const stored: object[] = [];
    opened.session.subscribe(persistProvider(opened.session, async (settings) => void stored.push(settings)));
    openPart(opened.session, <Confirm />);
    await enter([1]);
    const use = await findButton("Use sample data for this workbook");
    expect(use.closest("[role=status]")?.textContent).toMatch(
      /^The figures of this workbook are from api\.example\.com, and the pane is connected to sample data\./,
    );
    await checkAccess();
    press("Leave it");
    expect(
      await screen.findByText("FEED cells show #N/A, since the figures of this workbook are from api.example.com."),
    ).toBeTruthy();
    expect([countRankings(), stored]).toEqual([0, []]);
    press("Decide");
    press("Use sample data for this workbook");
    await waitFor(() => expect(countRankings()).toBe(1));
    expect(stored).toEqual([{ provider: "sample" }]);
    expect(screen.queryByRole("button")).toBeNull();
  });
});
