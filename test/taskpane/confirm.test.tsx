/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, screen, waitFor, within } from "@testing-library/react/pure";
import { persistProvider } from "../../src/taskpane/index";
import { Confirm } from "../../src/taskpane/pane/Confirm";
import { toTexts } from "../../src/taskpane/texts";
import { checkPage } from "./access";
import { openPart } from "./open-pane";
import { enterFormula } from "./open-whole-pane";
import { companion, press, serveSessions, session } from "./pane-sessions";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const OTHER = "https://api.example.com";

serveSessions(50);

const countRankings = () => companion.controls.count("rankCompanies");
const enter = (tops: number[]) =>
  act(async () => {
    for (const top of tops)
      enterFormula(session, `Sheet1!A${top}`, session.feed.rankings.queryCompanies(RANGE, top), {});
  });
const findButton = (name: string) => screen.findByRole("button", { name });

describe("a request over the budget", () => {
  it("is shown with its cost, shrinks to one line when declined, and is sent when confirmed", async () => {
    session.change({ requestLimit: 3 });
    openPart(session, <Confirm />);
    expect(screen.queryByText(/requests/)).toBeNull();
    await enter([1, 2, 3, 4]);
    const send = await findButton("Send about 4 requests");
    const place = send.closest<HTMLElement>("[role=status]");
    expect(place?.textContent).toContain("takes about 4 requests. More than 3 are sent only when you confirm them");
    await checkPage("page-has-heading-one");
    press("Not now");
    expect(
      await screen.findByText("About 4 requests wait for you. Their cells show #N/A, or the values of before."),
    ).toBeTruthy();
    await checkPage("page-has-heading-one");
    expect(countRankings()).toBe(0);
    press("Decide");
    press("Send about 4 requests");
    await waitFor(() => expect(countRankings()).toBe(4));
    expect(within(place as HTMLElement).queryByRole("button")).toBeNull();
  });

  it("is described in Japanese", async () => {
    session.change({ requestLimit: 3 });
    openPart(session, <Confirm />, { texts: toTexts("ja-JP") });
    await enter([1, 2, 3, 4]);
    expect(await findButton("約 4 件のリクエストを送信")).toBeTruthy();
    press("後で");
    expect(await findButton("選択する")).toBeTruthy();
  });
});

describe("a workbook with another provider's values", () => {
  it("is filled when the person confirms this provider, which the workbook stores", async () => {
    session.adopt({ provider: OTHER });
    const stored: object[] = [];
    session.subscribe(persistProvider(session, async (settings) => void stored.push(settings)));
    openPart(session, <Confirm />);
    await enter([1]);
    const use = await findButton("Use sample data for this workbook");
    expect(use.closest("[role=status]")?.textContent).toMatch(
      /^The figures of this workbook are from api\.example\.com, and the pane is connected to sample data\./,
    );
    await checkPage("page-has-heading-one");
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
