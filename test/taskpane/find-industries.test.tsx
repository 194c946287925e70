/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, within } from "@testing-library/react/pure";
import { checkAccess, click, serveFind } from "./find-page";

const page = serveFind();

const FIELD = "Industry";

async function openTree(given?: Parameters<typeof page.open>[0]) {
  const opened = await page.open(given);
  fireEvent.click(screen.getByRole("tab", { name: given?.language === "ja-JP" ? "業種" : "Industries" }));
  await screen.findByRole("tree");
  return opened;
}

const items = () => within(screen.getByRole("tree")).getAllByRole("treeitem");
const names = () => items().map((item) => item.lastChild?.textContent);
const item = (name: string) => items()[names().indexOf(name)] as HTMLElement;
const search = (text: string) =>
  fireEvent.change(screen.getByRole("textbox", { name: FIELD }), { target: { value: text } });

/** Presses keys on the focused element, as a person without a mouse does. */
function press(...keys: string[]): string | null | undefined {
  for (const key of keys) fireEvent.keyDown(document.activeElement as Element, { key });
  return document.activeElement?.lastChild?.textContent;
}

describe("the taxonomy", () => {
  it("is a tree of sectors, sub-sectors and industries, operated by arrow keys", async () => {
    await openTree();
    expect(items()).toHaveLength(10);
    expect(items().map(({ tabIndex }) => tabIndex)).toEqual([0, ...Array(9).fill(-1)]);
    items()[0]?.focus();
    expect(press("ArrowRight")).toBe("Food and Agriculture");
    expect(press("ArrowRight")).toBe("Processed Food");
    expect(press("ArrowRight", "ArrowRight")).toBe("Frozen Meals");
    const { activeElement } = document;
    expect(
      ["aria-level", "aria-posinset", "aria-setsize", "aria-expanded"].map((name) => activeElement?.getAttribute(name)),
    ).toEqual(["3", "1", "5", null]);
    expect(press("ArrowDown")).toBe("Confectionery");
    expect(press("ArrowLeft")).toBe("Processed Food");
    await checkAccess();
    expect(press("ArrowLeft", "ArrowUp")).toBe("Food and Agriculture");
    expect(item("Processed Food").getAttribute("aria-expanded")).toBe("false");
    expect(press("End")).toBe(names().at(-1));
    expect(press("Home", "ArrowLeft")).toBe("Food and Agriculture");
    expect(items()).toHaveLength(10);
  });

  it("can be operated by the pointer too", async () => {
    await openTree();
    fireEvent.click(item("Food and Agriculture").firstChild as Element);
    expect(names()).toContain("Beverages");
    expect(screen.queryByRole("region", { name: "Food and Agriculture" })).toBeNull();
    fireEvent.click(item("Beverages"));
    expect(screen.getByRole("region", { name: "Beverages" })).toBeTruthy();
    expect(item("Beverages").getAttribute("aria-selected")).toBe("true");
  });

  it("filters by a word, shows the path to each match, and reports no match", async () => {
    await openTree();
    search("tea and");
    expect(names()).toEqual(["Food and Agriculture", "Beverages", "Tea and Coffee"]);
    expect(screen.getByText("Found in 1 sector.")).toBeTruthy();
    search("IND010202");
    expect(names().at(-1)).toBe("Tea and Coffee");
    search("zzqx");
    expect(screen.getByText('Nothing in the taxonomy fits "zzqx". Try a shorter word.')).toBeTruthy();
    await checkAccess();
    search("");
    expect(items()).toHaveLength(10);
  });

  it("inserts the companies of the chosen node, in the chosen country", async () => {
    const { workbook, session } = await openTree();
    search("tea and");
    act(() => item("Tea and Coffee").focus());
    press("Enter");
    await checkAccess();
    expect(screen.getByText("Industry · Food and Agriculture · Beverages · IND010202")).toBeTruthy();
    click("Insert companies of JPN");
    await screen.findByText("Inserted at Sheet1!A1.");
    expect(workbook.cells.get("Sheet1!A1")).toEqual({ formula: '=FEED.CONSTITUENTS("industry:IND010202", "JPN")' });
    session.change({ country: "SGP" });
    workbook.select({ sheet: "Sheet1", address: "D1" });
    press("ArrowUp", " ");
    fireEvent.click(await screen.findByRole("button", { name: "Insert companies of SGP" }));
    await screen.findByText("Inserted at Sheet1!D1.");
    expect(workbook.cells.get("Sheet1!D1")).toEqual({ formula: '=FEED.CONSTITUENTS("subSector:SUB0102", "SGP")' });
  });

  it("keeps the search text while companies are shown", async () => {
    await openTree();
    search("tea and");
    fireEvent.click(item("Tea and Coffee"));
    fireEvent.click(screen.getByRole("tab", { name: "Companies" }));
    fireEvent.click(screen.getByRole("tab", { name: "Industries" }));
    expect(names()).toEqual(["Food and Agriculture", "Beverages", "Tea and Coffee"]);
    expect(screen.getByRole("region", { name: "Tea and Coffee" })).toBeTruthy();
  });

  it("reports that the client may not read it", async () => {
    page.companion().controls.answers.getTaxonomyTree = { status: 403, times: Number.POSITIVE_INFINITY };
    await page.open();
    fireEvent.click(screen.getByRole("tab", { name: "Industries" }));
    await screen.findByText(
      "This client may not read the taxonomy. Ask your administrator or the provider for access.",
    );
  });

  it("is loaded when it is first shown", async () => {
    await page.open();
    expect(page.companion().controls.count("getTaxonomyTree")).toBe(0);
    fireEvent.click(screen.getByRole("tab", { name: "Industries" }));
    await screen.findByRole("tree");
    expect(page.companion().controls.count("getTaxonomyTree")).toBe(1);
  });

  it("is in Japanese", async () => {
    await openTree({ language: "ja-JP" });
    expect(screen.getByText("セクター、サブセクター、業種を選ぶと、その企業を挿入できます。")).toBeTruthy();
    fireEvent.click(items()[0] as Element);
    expect(screen.getByRole("button", { name: "JPN の企業の一覧を挿入" })).toBeTruthy();
    await checkAccess();
  });
});
