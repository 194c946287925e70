/** @jest-environment jsdom */
import { beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createFiles, readGenerated } from "./generated";

let files: Record<string, string>;
beforeAll(async () => {
  files = createFiles(await readGenerated());
});
beforeEach(() => sessionStorage.clear());

/** Opens a page as a browser does: its text, then its script. */
function open(path: string, query = ""): string[] {
  history.replaceState(null, "", `/${path}${query}`);
  document.documentElement.innerHTML = files[path] as string;
  jest.isolateModules(() => void require("../../src/reference/script"));
  return [...document.querySelectorAll("code")].map(({ textContent }) => `${textContent}`);
}

const SEMICOLONS = `?separators=${encodeURIComponent(";,\\")}`;
const SENTENCE = /Arguments are parted by commas here/;

describe("a page of the help", () => {
  it("has commas, and a sentence, while the reader's separators are unknown", () => {
    for (const query of ["", "?separators=", "?separators=long"]) {
      sessionStorage.clear();
      const [signature = ""] = open("reference/FINANCIAL.html", query);
      expect(signature).toMatch(/^=FEED\.FINANCIAL\(company, year, /);
      expect(document.body.textContent).toMatch(SENTENCE);
    }
  });

  it("has the separators that the pane's link gives, on each page that follows", () => {
    const [signature = ""] = open("reference/FINANCIAL.html", SEMICOLONS);
    expect(signature).toMatch(/^=FEED\.FINANCIAL\(company; year; /);
    expect(document.body.textContent).not.toMatch(SENTENCE);
    const pages = ["COMPANY.FIND", "RANKING.TREND", "ja/FINANCIALS", "formulas", "analyst"];
    const formulas = pages.flatMap((page) => open(`reference/${page}.html`).filter((text) => text.startsWith("=")));
    expect(formulas.length).toBeGreaterThan(10);
    const bare = formulas.map((text) => text.split("\n")[0]!.replace(/"[^"]*"/g, ""));
    expect(bare.filter((text) => text.includes(","))).toEqual([]);
    expect(formulas.join("\n")).toMatch(/"[^"]*,[^"]*"/); // texts keep theirs
  });

  it.each(["install", "settings", "COMPANY.ID"])("leaves what is no formula: %s", (page) => {
    const before = open(`reference/${page}.html`).filter((text) => !/^(=|FEED\.)/m.test(text));
    const after = open(`reference/${page}.html`, SEMICOLONS).filter((text) => !/^(=|FEED\.)/m.test(text));
    expect(after).toEqual(before);
  });
});
