/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess, choose, closeSheets, listGiven, openSheets } from "./sheets-page";

let companion: RunningCompanion;
let workbook: ReturnType<typeof openSheets>["workbook"];

beforeAll(async () => {
  companion = await startCompanion({ companies: 100 });
});
beforeEach(async () => {
  const opened = openSheets({ origin: companion.origin });
  workbook = opened.workbook;
  await opened.session.connect();
  choose("Comparison");
});
afterEach(closeSheets);
afterAll(() => companion.close());

const input = () => screen.getByRole("combobox", { name: "Companies" });
const chip = (name: RegExp) => screen.findByRole("button", { name });
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const options = () => [...document.querySelectorAll("fieldset [role=option]")].map(({ textContent }) => textContent);

/** Pastes lines, and waits until each is a company or in doubt. */
async function paste(...lines: string[]): Promise<void> {
  fireEvent.paste(input(), { clipboardData: { getData: () => lines.join("\n") } });
  await screen.findByText(/in doubt/);
}

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
    press("Escape");
    expect(document.activeElement).toBe(await chip(/^Choose a company for Sakura Bakary$/));
    fireEvent.click(document.activeElement as HTMLElement);
    await waitFor(() => expect(document.activeElement?.getAttribute("role")).toBe("listbox"));
    press("Enter");
    await waitFor(() => expect(listGiven()[0]).toBe("Sakura Bakery Co., Ltd. ×"));
    expect(document.activeElement?.textContent).toBe("Sakura Bakery Co., Ltd. ×");
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
    fireEvent.click(screen.getByRole("button", { name: "Search again" }));
    expect((input() as HTMLInputElement).value).toBe("zzzz");
    expect(document.activeElement).toBe(input());
  });

  it("is left by keys: arrows move, Backspace and Delete remove, at last into the field", async () => {
    await paste("1111111", "2222222", "qqqq");
    (await chip(/^Remove 1111111$/)).focus();
    press("ArrowRight");
    expect(document.activeElement?.textContent).toBe("2222222 ×");
    press("Delete");
    expect(document.activeElement?.textContent).toBe("qqqq ?");
    press("Backspace");
    expect(document.activeElement?.textContent).toBe("1111111 ×");
    press("Backspace");
    expect(document.activeElement).toBe(input());
  });
});

describe("Enter in the field", () => {
  it("takes the first company, and submits nothing", async () => {
    fireEvent.change(input(), { target: { value: "sakura bakery" } });
    await waitFor(() => expect(document.querySelector("[role=option][data-active]")).toBeTruthy());
    const notPrevented = fireEvent.keyDown(input(), { key: "Enter" });
    expect(notPrevented).toBe(false); // the form is not submitted
    expect(listGiven()[0]).toMatch(/^Sakura Bakery.* ×$/);
  });
});
