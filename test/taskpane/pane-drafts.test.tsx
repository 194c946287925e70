/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, screen } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openCompany } from "./find-page";
import { openTab, openWholePane } from "./open-whole-pane";

const BAKERY = "Sakura Bakery Co., Ltd.";

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  configure({ asyncUtilTimeout: 20_000 }); // real pages of a real provider
  Element.prototype.scrollIntoView = () => {}; // jsdom has no layout
  companion = await startCompanion({ companies: 100 });
});
beforeEach(async () => {
  session = createSession({ ports: createPorts(), companionUrl: companion.origin });
  await session.connect();
  openWholePane(session);
});
afterEach(() => {
  cleanup();
  session.feed.queryCache.close();
  session.feed.nameIndexes.reset();
  localStorage.clear();
});
afterAll(() => companion.close());

const click = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const choose = (template: string) => fireEvent.click(screen.getByRole("radio", { name: new RegExp(`^${template}`) }));
const unit = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "Unit" });

describe("a part that receives a company", () => {
  it("keeps the sheet drafts written before", async () => {
    openTab("Sheets");
    choose("Comparison");
    fireEvent.change(unit(), { target: { value: "bn" } });
    choose("Statement");
    fireEvent.change(unit(), { target: { value: "k" } });
    choose("Ranking");
    openTab("Find");
    await openCompany("sakura bakery", BAKERY);
    click("Statement sheet…");
    expect(screen.getByRole("tabpanel", { name: "Sheets" }).textContent).toContain(BAKERY);
    expect(unit().value).toBe("k");
    choose("Comparison");
    expect(unit().value).toBe("bn");
  });
});
