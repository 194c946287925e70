/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, within } from "@testing-library/react/pure";
import { Requests } from "../../src/taskpane/settings/Requests";
import { toTexts } from "../../src/taskpane/texts";
import { checkAccess, enter, serveSessions, session } from "./changes-page";
import { openPart } from "./open-pane";

serveSessions();

/** Shows the requests, unfolded. */
async function show(language = "en-US") {
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
    const requests = await show();
    await requests.findByText(/^The last 200, newest first/);
    const [first, ...others] = requests.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(first).toMatch(/^\d\d:\d\d:\d\drankCompanies200[\d,]+ ms · .+ · for 1 formula$/);
    expect(others.map((text) => text?.replace(/^[\d:]+/, "").replace(/200.*$/, ""))).toEqual(
      expect.arrayContaining(["createToken", "/companion/assertion", "/companion/config"]),
    );
    expect(others.join("\n")).toContain("credentials");
    await checkAccess();
  });

  it("say what to do before the first", async () => {
    await (await show("ja-JP")).findByText("リクエストはまだありません。接続するか、数式を入力してください。");
  });
});
