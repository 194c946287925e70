/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { readSignatures } from "../support/formula-signatures";
import {
  checkAccess,
  choose,
  companion,
  createPauses,
  field,
  findCompanyId,
  isDisabled,
  openBuild,
  press,
  readPreview,
  readText,
  serveBuild,
  session,
  write,
} from "./build-page";
import { createGate } from "./gate";

serveBuild();

/** The suggested names of companies, once there are some. */
async function readOffers(): Promise<string[]> {
  await waitFor(() => expect(document.querySelector("[role=option]")).toBeTruthy());
  return [...document.querySelectorAll("[role=option]")].map((line) => line.textContent ?? "");
}

describe("Build", () => {
  it("needs a company alone for a first figure, and previews it before it is inserted", async () => {
    const { workbook } = await openBuild();
    const id = await findCompanyId();
    expect(screen.getByText("To see a preview, fill in: Company.")).toBeTruthy();
    expect(isDisabled("Insert at Sheet1!A1")).toBe(true);
    await checkAccess();
    write("Company", id);
    fireEvent.blur(field("Company"));
    expect(readText()).toBe(`=FEED.FINANCIAL("${id}", "FY0", "Revenue")`);
    expect(await readPreview()).toEqual([[expect.stringMatching(/^\d+$/)]]);
    await screen.findByText("1 request; none now, since the answer is here already.");
    await checkAccess();
    press("Insert at Sheet1!A1");
    await screen.findByText("Inserted at Sheet1!A1.");
    expect(workbook.cells.get("Sheet1!A1")).toEqual({
      formula: `=FEED.FINANCIAL("${id}", "FY0", "Revenue")`,
      format: "#,##0",
    });
    expect(companion.controls.count("getCompanyFinancials")).toBe(1);
  });

  it("finds the company by its name, by keyboard", async () => {
    await openBuild();
    const box = field("Company");
    box.focus();
    write("Company", "sakura");
    for (const name of await readOffers()) expect(name).toMatch(/^[\x20-\x7e]*Sakura.*(Listed · \d|Private)/);
    fireEvent.keyDown(box, { key: "ArrowDown" });
    fireEvent.keyDown(box, { key: "Enter" });
    const chosen = await screen.findByRole("button", { name: /^Remove .*Sakura/ });
    expect(readText()).toMatch(/^=FEED\.FINANCIAL\("[0-9a-f-]{36}", "FY0", "Revenue"\)$/);
    fireEvent.click(chosen);
    expect(readText()).toBe('=FEED.FINANCIAL(, "FY0", "Revenue")');
  });

  it("takes no company that was found for the text before", async () => {
    await openBuild();
    const box = field("Company");
    write("Company", "sakura");
    await readOffers();
    write("Company", "nobody foods");
    fireEvent.keyDown(box, { key: "Enter" });
    await screen.findByRole("button", { name: /^Choose a company for nobody foods/ });
    expect(readText()).toBe('=FEED.FINANCIAL("nobody foods", "FY0", "Revenue")');
  });

  it("reports that no company has the name, and leads to Find", async () => {
    const { opened } = await openBuild();
    write("Company", "qqqqqq");
    await screen.findByText(/^No company fits qqqqqq\./);
    press("Look in Find");
    expect(opened).toEqual([["find", { name: "qqqqqq" }]]);
  });

  it("starts with a company handed over by another part", async () => {
    const initialTask = { company: { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "Sakura Foods" } };
    await openBuild({ initialTask });
    expect(screen.getByRole("button", { name: "Remove Sakura Foods" })).toBeTruthy();
    expect(readText()).toContain(initialTask.company.id);
  });

  it("offers every registered formula, with help and useful defaults", async () => {
    await openBuild();
    const names = [...field("Data").querySelectorAll("option")].map(({ value }) => value);
    expect(names.sort()).toEqual(readSignatures().map(({ name }) => name));
    for (const name of names) {
      choose(name);
      expect(readText()).toMatch(new RegExp(`^=FEED\\.${name}\\(`));
      expect(screen.getByRole("link", { name: `Help on ${name}` }).getAttribute("href")).toBe(
        `/reference/${name}.html`,
      );
    }
  });

  it("previews the first five rows and columns of a table, and its size", async () => {
    await openBuild();
    choose("RANKING");
    expect(readText()).toBe('=FEED.RANKING("-7d", , 25)');
    const rows = await readPreview();
    expect(rows).toHaveLength(5);
    expect(rows[0]).toHaveLength(5);
    expect(screen.getByText(/^26 rows × 9 columns in all$/)).toBeTruthy();
  });

  it("keeps the person's entries, and no others, when the formula changes", async () => {
    await openBuild();
    write("Fiscal year", "2023");
    choose("FINANCIALS");
    expect(readText()).toBe("=FEED.FINANCIALS(, 2023)");
  });

  it("fetches once after a pause in typing", async () => {
    const pauses = createPauses();
    await openBuild({ ports: pauses.ports });
    choose("RANKING");
    for (const rows of ["1", "10", "100"]) {
      write("Rows", rows);
      await fetch(`${companion.origin}/functions.json`); // time enough for an eager request
    }
    pauses.end();
    await readPreview();
    expect(companion.controls.count("rankCompanies")).toBe(1);
  });

  it("asks before it sends more than a few requests", async () => {
    await openBuild();
    choose("UNIVERSE");
    write("Rows", "all");
    const show = await screen.findByRole("button", { name: "Show preview" });
    expect(session.feed.queryCache.live()).toEqual([]);
    fireEvent.click(show);
    await readPreview();
    expect(screen.getByText(/^[\d,]+ rows × 9 columns in all$/)).toBeTruthy();
  });

  it("shows the progress of a long list, and stops it when the form changes", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await openBuild({ ports: gate.ports });
    choose("UNIVERSE");
    write("Rows", "all");
    fireEvent.click(await screen.findByRole("button", { name: "Show preview" }));
    await gate.reached;
    await screen.findByText(/^1,001 of [\d,]+ rows so far…$/);
    expect(screen.getByRole("progressbar", { name: "Preview" })).toBeTruthy();
    await checkAccess();
    choose("STATUS");
    expect(await readPreview()).toEqual([["sample data"]]);
    expect(session.feed.queryCache.live()).toEqual([]);
    gate.open();
  });

  it("stops its preview while another part is shown, and resumes it", async () => {
    await openBuild();
    choose("RANKING");
    await readPreview();
    const panel = screen.getByRole("tabpanel");
    panel.hidden = true;
    await waitFor(() => expect(session.feed.queryCache.live()).toEqual([]));
    panel.hidden = false;
    await readPreview();
    expect(session.feed.queryCache.live()).toHaveLength(1);
  });

  it("explains a mistake and its remedy", async () => {
    await openBuild();
    choose("RANKING");
    write("Period", "soon");
    await screen.findByText(/^start must be a date/);
    expect(screen.getByText(/orrect the argument/)).toBeTruthy();
    expect(screen.getByText("FEED_ARGUMENT_INVALID")).toBeTruthy();
    write("Period", "=SUM(A1");
    expect(screen.getByText(/^A bracket or a quotation mark is not closed/)).toBeTruthy();
    expect(isDisabled("Insert at Sheet1!A1")).toBe(true);
  });

  it("is in Japanese", async () => {
    await openBuild({ language: "ja-JP" });
    expect(screen.getByText("プレビューを表示するには、次を入力してください: 企業")).toBeTruthy();
    write("企業", "sakura");
    for (const name of await readOffers()) expect(name).toMatch(/さくら/);
    write("データ", "RANKING");
    await screen.findByText("全 26 行 × 9 列");
    expect(screen.getByRole("button", { name: "Sheet1!A1 に挿入" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "RANKING のヘルプ" }).getAttribute("href")).toBe(
      "/reference/ja/RANKING.html",
    );
    await checkAccess();
  });
});
