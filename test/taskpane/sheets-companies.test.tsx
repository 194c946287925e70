/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { act, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { findHidden, press, serveNames, session } from "./pane-sessions";
import { checkAccess, choose, contentsOf, create, give, listGiven, openSheets, pick, write } from "./sheets-page";

const SAKURA = { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "株式会社さくら食品" };
const OTHER = "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f";

let workbook: ReturnType<typeof openSheets>["workbook"];

serveNames();
beforeAll(findHidden);
beforeEach(() => {
  workbook = openSheets().workbook;
  choose("Comparison");
});

describe("a new comparison", () => {
  it("accepts pasted companies and selected cells, each once", async () => {
    await workbook.write({
      at: { sheet: "Sheet1", address: "A1" },
      cells: [[""], [SAKURA.id], [1234567890123], [OTHER]],
    });
    workbook.select({ sheet: "Sheet1", address: "A1:A4" });
    const clipboardData = { getData: () => `${OTHER}\r\n${SAKURA.id}` };
    fireEvent.paste(screen.getByLabelText("Companies"), { clipboardData });
    expect(listGiven()).toEqual([`${OTHER} ×`, `${SAKURA.id} ×`]);
    press("Take selected cells");
    await waitFor(() => expect(listGiven()).toEqual([`${OTHER} ×`, `${SAKURA.id} ×`, "1234567890123 ×"]));
    expect(screen.getByText(/3 companies with 5 metrics.*room for 50 companies\. About 4 requests/)).toBeTruthy();
    await create(/Created "Comparison"\./);
    // A number would lose its leading zeros.
    expect(contentsOf(workbook.sheets, "C17", "C18", "C19")).toEqual([OTHER, SAKURA.id, "1234567890123"]);
    expect(contentsOf(workbook.sheets, "D17")).toEqual([{ formula: "=FEED.FINANCIAL(C17:C66, B3, D12:H12, , B4)" }]);
  });

  it("shows one year or several, and says what several take", async () => {
    give("Companies", SAKURA.id);
    pick("Fiscal years", "The latest 5");
    expect(screen.getByText(/a table of 5 years for each.* room for 4 companies\. At most 2 requests/)).toBeTruthy();
    give("Companies", OTHER);
    expect(screen.getByText(/2 companies with 5 metrics.* room for 5 companies\. At most 5 requests/)).toBeTruthy();
    await create(/Created "Comparison"\./);
    expect(contentsOf(workbook.sheets, "B3", "B4", "A14", "A25")).toEqual(["FY-4", "FY0", "Revenue", "EBITDA"]);
  });

  it("reports years in the wrong order at their field, which takes the focus", async () => {
    give("Companies", SAKURA.id);
    pick("Fiscal years", "From and to a year");
    write("From", "2023");
    write("To", "2019");
    press("Create sheet");
    expect(screen.getByText(/the earlier first, 10 years at most\./)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("To"));
    await checkAccess();
    write("From", "2019");
    await create(/Created "Comparison"\./);
    expect(contentsOf(workbook.sheets, "B3")).toEqual(["2019"]); // one year has one cell
    write("To", "2018");
    press("Create sheet");
    expect(screen.queryByText(/^Created /)).toBeNull(); // it would seem to be of this attempt
  });

  it("counts the names that the workbook's setting takes further requests for", async () => {
    act(() => session.change({ companyNames: "en" }));
    give("Companies", SAKURA.id);
    expect(screen.getByText(/About 3 requests/)).toBeTruthy();
    pick("Fiscal years", "The latest 5");
    expect(screen.getByText(/At most 3 requests/)).toBeTruthy();
    choose("Statement");
    expect(screen.getByText(/About 3 requests/)).toBeTruthy();
    act(() => session.change({ companyNames: "provider" }));
    expect(screen.getByText(/About 2 requests/)).toBeTruthy();
  });

  it("reports that the selected cells are empty", async () => {
    press("Take selected cells");
    await screen.findByText(/Sheet1!A1 is empty\./);
  });
});

const input = () => screen.getByRole("combobox", { name: "Companies" });
const chip = (name: RegExp) => screen.findByRole("button", { name });
const pressKey = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const options = () => [...document.querySelectorAll("fieldset [role=option]")].map(({ textContent }) => textContent);

/** Pastes lines, and waits until each is a company or in doubt. */
async function paste(...lines: string[]): Promise<void> {
  fireEvent.paste(input(), { clipboardData: { getData: () => lines.join("\n") } });
  await screen.findByText(/in doubt/);
}

it("a new statement accepts the company by name, and is named after it", async () => {
  choose("Statement");
  write("Company", "sakura");
  const [offer] = await waitFor(() => {
    const offers = [...document.querySelectorAll<HTMLElement>("[role=option]")].filter(({ textContent }) =>
      /Sakura|さくら/.test(textContent),
    );
    expect(offers).not.toEqual([]);
    return offers;
  });
  fireEvent.click(offer as HTMLElement);
  const [given = ""] = listGiven();
  expect(given).toMatch(/(Sakura|さくら).* ×$/);
  await create();
  expect(workbook.sheets[0]?.name).toBe(given.slice(0, -2));
  expect(contentsOf(workbook.sheets, "B3")).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

describe("a pasted list", () => {
  it("becomes chips, the doubtful ones marked, none dropped", async () => {
    await paste("JPN:さくらベーカリー株式会社", "2730196982816", "1111111", "Sakura Bakary", "qqqq");
    expect(listGiven()).toHaveLength(3);
    expect(listGiven()[0]).toMatch(/^Sakura Bakery Co\., Ltd\. ×$/);
    expect(screen.getByText("5 companies, 2 in doubt: press one to choose its company.")).toBeTruthy();
    await checkAccess();
  });

  it("has the candidates of a doubtful text one key away, and the focus stays with it", async () => {
    await paste("Sakura Bakary", "2730196982816");
    const doubtful = await chip(/^Choose a company for Sakura Bakary$/);
    expect(doubtful.tabIndex).toBe(0);
    doubtful.focus();
    fireEvent.click(doubtful); // as by Enter
    await waitFor(() => expect(document.activeElement?.getAttribute("role")).toBe("listbox"));
    expect(options()[0]).toMatch(/^Sakura Bakery Co\., Ltd\..*Private/);
    await checkAccess();
    pressKey("Escape");
    expect(document.activeElement).toBe(await chip(/^Choose a company for Sakura Bakary$/));
    fireEvent.click(document.activeElement as HTMLElement);
    await waitFor(() => expect(document.activeElement?.getAttribute("role")).toBe("listbox"));
    pressKey("Enter");
    await waitFor(() => expect(listGiven()[0]).toBe("Sakura Bakery Co., Ltd. ×"));
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Sakura Bakery Co., Ltd. ×"));
    expect(screen.getByText("2 companies")).toBeTruthy();
    expect(workbook.sheets).toEqual([]);
  });

  it("offers to search again for what is like no company, or to remove it", async () => {
    await paste("qqqq", "zzzz");
    fireEvent.click(await chip(/^Choose a company for qqqq$/));
    await screen.findByText("No company is like qqqq.");
    fireEvent.click(screen.getByRole("button", { name: "Remove" }));
    await waitFor(() => expect(screen.queryByText(/qqqq/)).toBeNull());
    fireEvent.click(await chip(/^Choose a company for zzzz$/));
    await screen.findByText("No company is like zzzz.");
    await waitFor(() => expect(document.activeElement?.closest("fieldset")).toBeTruthy()); // it takes the focus first
    fireEvent.click(screen.getByRole("button", { name: "Search again" }));
    expect((input() as HTMLInputElement).value).toBe("zzzz");
    expect(document.activeElement).toBe(input());
  });

  it("says of a listed company's name that it has no financials, and offers none like it", async () => {
    await paste("さくら物流 Tokyo株式会社", "2730196982816");
    fireEvent.click(await chip(/^Choose a company for さくら物流/));
    await screen.findByText("さくら物流 Tokyo株式会社 has no financials here. Listed companies have none.");
    expect(options()).toEqual([]);
    await checkAccess();
    fireEvent.click(screen.getByRole("button", { name: "Remove" }));
    await waitFor(() => expect(listGiven()).toEqual(["2730196982816 ×"]));
  });

  it("is left by keys: arrows move, Backspace and Delete remove, at last into the field", async () => {
    await paste("1111111", "2222222", "qqqq");
    (await chip(/^Remove 1111111$/)).focus();
    pressKey("ArrowRight");
    expect(document.activeElement?.textContent).toBe("2222222 ×");
    pressKey("Delete");
    expect(document.activeElement?.textContent).toBe("qqqq ?");
    pressKey("Backspace");
    expect(document.activeElement?.textContent).toBe("1111111 ×");
    pressKey("Backspace");
    expect(document.activeElement).toBe(input());
  });
});

it("a number offers its own company, and one that is nobody's is taken as it is", async () => {
  fireEvent.change(input(), { target: { value: "2730196982816" } });
  await waitFor(() => expect(document.querySelector("[role=option]")?.textContent).toMatch(/^Sakura Bakery/));
  fireEvent.change(input(), { target: { value: "2730196982817" } });
  await waitFor(() => expect(screen.queryByText("Searching…")).toBeNull());
  expect(screen.queryByText(/^No company fits/)).toBeNull();
});

it("Enter in the field takes the first company, and submits nothing", async () => {
  fireEvent.change(input(), { target: { value: "sakura bakery" } });
  await waitFor(() => expect(document.querySelector("[role=option][data-active]")).toBeTruthy());
  const notPrevented = fireEvent.keyDown(input(), { key: "Enter" });
  expect(notPrevented).toBe(false); // the form is not submitted
  expect(listGiven()[0]).toMatch(/^Sakura Bakery.* ×$/);
});
