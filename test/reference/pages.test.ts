/** @jest-environment jsdom */
import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { ERRORS } from "../../src/client/errors";
import { FORMULAS } from "../../src/reference/formulas";
import { createPage } from "../../src/reference/page";
import { readReference } from "./generated";

/** Other files that the build puts beside the pages. */
const NEIGHBOURS = ["reference/reference.css", "assets/icon-32.png", "playground.html"];

let files: Record<string, string>;
let pages: [path: string, page: Document][];
beforeAll(async () => {
  files = await readReference();
  pages = Object.entries(files)
    .filter(([path]) => path.endsWith(".html"))
    .map(([path, text]) => [path, new DOMParser().parseFromString(text, "text/html")]);
});

const find = (path: string) => pages.find(([each]) => each === path)?.[1] as Document;
const findAll = (page: Document, selector: string) => [...page.querySelectorAll(selector)];
const readAll = (page: Document, selector: string) => findAll(page, selector).map(({ textContent }) => textContent);

describe("the reference pages", () => {
  it("are one for each formula and one index, in each language", () => {
    const paths = [...FORMULAS.keys(), "index"].flatMap((id) => [`reference/${id}.html`, `reference/ja/${id}.html`]);
    expect(pages.map(([path]) => path).toSorted()).toEqual(paths.toSorted());
  });

  it("name their language and link to the same page in the other", () => {
    for (const [path, page] of pages) {
      const language = path.startsWith("reference/ja/") ? "ja" : "en";
      expect([path, page.documentElement.lang]).toEqual([path, language]);
      const other = language === "ja" ? path.replace("/ja/", "/") : path.replace("reference/", "reference/ja/");
      const link = page.querySelector("a[hreflang]");
      expect(posix.join(posix.dirname(path), link?.getAttribute("href") ?? "")).toBe(other);
    }
  });

  it("link only to existing files and places", () => {
    const known = new Set([...Object.keys(files), ...NEIGHBOURS]);
    const broken = pages.flatMap(([path, page]) =>
      findAll(page, "[href]").flatMap((link) => {
        const [target = "", place] = (link.getAttribute("href") ?? "").split(/[?#]/);
        if (target === "") return page.getElementById(place ?? "") ? [] : [`${path} #${place}`];
        return known.has(posix.join(posix.dirname(path), target)) ? [] : [`${path} ${target}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("need neither inline script nor style, which the companion's policy would refuse", () => {
    for (const [path, page] of pages) {
      expect([path, findAll(page, "script, style, [style], [onclick], [onload]")]).toEqual([path, []]);
    }
  });

  it("describe for every argument what it accepts and its default", () => {
    for (const [path, page] of pages) {
      const rows = findAll(page, "#arguments + .table tbody tr");
      for (const row of rows) {
        const empty = [...row.children].filter(({ textContent }) => textContent?.trim() === "");
        expect([path, row.textContent, empty.length]).toEqual([path, row.textContent, 0]);
      }
    }
  });

  it("describe each field in Japanese", () => {
    const fields = pages
      .filter(([path]) => path.startsWith("reference/ja/"))
      .flatMap(([, page]) => readAll(page, "#fields + .table td:nth-child(2)"));
    expect(fields.length).toBeGreaterThan(100);
    expect(
      fields.filter((text) => !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text ?? "")),
    ).toEqual([]);
  });

  it("name only existing errors, and together every one", () => {
    const named = pages.flatMap(([, page]) => readAll(page, "#errors + .table td:first-child"));
    expect(new Set(named)).toEqual(new Set(Object.keys(ERRORS)));
  });

  it("have at least two examples for every formula", () => {
    for (const id of FORMULAS.keys()) {
      const examples = readAll(find(`reference/${id}.html`), ".examples code");
      expect([id, examples.length >= 2]).toEqual([id, true]);
      for (const example of examples) expect(example).toContain(`FEED.${id}(`);
    }
  });

  it("list every formula with its page on the index", () => {
    for (const path of ["reference/index.html", "reference/ja/index.html"]) {
      const links = findAll(find(path), "td a").map((link) => link.getAttribute("href"));
      expect(links.toSorted()).toEqual([...FORMULAS.keys()].map((id) => `${id}.html`).toSorted());
    }
  });
});

describe("a text on a page", () => {
  it("is escaped, whatever it contains", () => {
    const [reference] = FORMULAS.values();
    const description = `<img src=x onerror="alert(1)"> & 'more'`;
    const metadata = { id: "ODD", name: "ODD", description, parameters: [{ name: "a", description, optional: true }] };
    const text = createPage({ metadata, reference: reference!, language: "en", ids: ["ODD"] });
    const page = new DOMParser().parseFromString(text, "text/html");
    expect(page.querySelector(".lead")?.textContent).toBe(description);
    expect(page.querySelector("img")).toBeNull();
  });
});
