/** @jest-environment jsdom */
import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { ERRORS } from "../../src/client/errors";
import { createDocumentPages, DOCUMENTS, toMarkup } from "../../src/reference/documents";
import { FORMULAS } from "../../src/reference/formulas";
import { createPage } from "../../src/reference/page";
import { createFiles, readGenerated } from "./generated";

/** Other files that the build puts beside the pages. */
const NEIGHBOURS = [
  ...["reference/reference.css", "reference/script.js", "assets/icon-32.png", "playground.html"],
  "licences/feed-for-excel.txt",
  ...readdirSync(join(__dirname, "../../docs/pictures")).map((name) => `reference/pictures/${name}`),
];

let files: Record<string, string>;
let pages: [path: string, page: Document][];
beforeAll(async () => {
  files = createFiles(await readGenerated());
  pages = Object.entries(files)
    .filter(([path]) => path.endsWith(".html"))
    .map(([path, text]) => [path, new DOMParser().parseFromString(text, "text/html")]);
});

const find = (path: string) => pages.find(([each]) => each === path)?.[1] as Document;
const findAll = (page: Document, selector: string) => [...page.querySelectorAll(selector)];
const readAll = (page: Document, selector: string) => findAll(page, selector).map(({ textContent }) => textContent);

describe("the reference pages", () => {
  it("are one for each formula, six for all in each language, and one for each document", () => {
    const paths = [...FORMULAS.keys(), "index", "errors", "privacy", "support", "terms"].flatMap((id) => [
      `reference/${id}.html`,
      `reference/ja/${id}.html`,
    ]);
    const documents = DOCUMENTS.map(({ file, language }) => `reference/${language === "ja" ? "ja/" : ""}${file}`);
    expect(pages.map(([path]) => path).toSorted()).toEqual([...paths, ...documents].toSorted());
  });

  it("name their language and link to the same page in the other, where there is one", () => {
    for (const [path, page] of pages) {
      const language = path.startsWith("reference/ja/") ? "ja" : "en";
      expect([path, page.documentElement.lang]).toEqual([path, language]);
      const other = language === "ja" ? path.replace("/ja/", "/") : path.replace("reference/", "reference/ja/");
      const link = page.querySelector("a[hreflang]")?.getAttribute("href");
      const target = link && posix.join(posix.dirname(path), link);
      expect([path, target]).toEqual([path, other in files ? other : undefined]);
    }
  });

  it("link only to existing files and places", () => {
    const known = new Set([...Object.keys(files), ...NEIGHBOURS]);
    const broken = pages.flatMap(([path, page]) =>
      findAll(page, "[href], [src]").flatMap((link) => {
        const address = link.getAttribute("href") ?? link.getAttribute("src") ?? "";
        const [target = "", place] = address.replace(/\?[^#]*/, "").split("#");
        const file = target === "" ? path : posix.join(posix.dirname(path), target);
        if (!known.has(file)) return [`${path} ${address}`];
        return place === undefined || find(file).getElementById(place) ? [] : [`${path} ${address}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("need neither inline script nor style, which the companion's policy would refuse", () => {
    for (const [path, page] of pages) {
      expect([path, findAll(page, "script:not([src]), style, [style], [onclick], [onload]")]).toEqual([path, []]);
    }
  });

  it("write optional arguments in brackets", () => {
    expect(readAll(find("reference/FINANCIAL.html"), "pre code")[0]).toBe(
      "=FEED.FINANCIAL(company, year, metric, [basis], [unit])",
    );
  });

  it("describe every argument", () => {
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
    const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
    expect(fields.filter((text) => !isJapanese.test(text ?? ""))).toEqual([]);
  });

  it("list every error on one page, to which each formula's own lead", () => {
    for (const folder of ["reference", "reference/ja"])
      expect(readAll(find(`${folder}/errors.html`), "td:first-child")).toEqual(Object.keys(ERRORS));
    for (const id of FORMULAS.keys()) {
      const page = find(`reference/${id}.html`);
      const named = readAll(page, "#errors + .table td:first-child");
      expect([id, named]).toEqual([id, [...(FORMULAS.get(id)?.errors ?? [])]]);
      expect(page.querySelector('#errors ~ p a[href="errors.html"]')).not.toBeNull();
    }
  });

  it("name companies in examples, and no ids", () => {
    const examples = pages.map(([path, page]) => `${path} ${readAll(page, ".examples dt").join()}`);
    expect(examples.filter((text) => /[0-9a-f]{8}-[0-9a-f]{4}/.test(text))).toEqual([]);
  });

  it("show the result of each example that stays the same from day to day", () => {
    for (const folder of ["reference", "reference/ja"]) {
      const page = find(`${folder}/FINANCIAL.html`);
      expect(findAll(page, ".examples dd .result")).toHaveLength(findAll(page, ".examples dt").length);
      expect(readAll(page, ".result td").every((text) => text !== "")).toBe(true);
    }
  });

  it("say what each formula costs in one table", () => {
    for (const [path, page] of pages.filter(([each]) => each.endsWith("/index.html"))) {
      const named = readAll(page, "#requests + .table td:first-child").flatMap((text) => text?.split(", "));
      expect([path, named.toSorted()]).toEqual([path, [...FORMULAS.keys()].map((id) => `FEED.${id}`).toSorted()]);
    }
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

  it("lead from the index to the pages about privacy, support and terms", () => {
    for (const path of ["reference/index.html", "reference/ja/index.html"]) {
      const links = findAll(find(path), ".legal a").map((link) => link.getAttribute("href"));
      expect([path, links]).toEqual([path, ["privacy.html", "support.html", "terms.html"]]);
    }
  });

  it("list every document that has readers on the index, in Japanese the Japanese one first", () => {
    for (const language of ["en", "ja"]) {
      const path = language === "en" ? "reference/index.html" : "reference/ja/index.html";
      const links = findAll(find(path), ".guides a").map((link) => link.getAttribute("href") ?? "");
      const targets = links.map((link) => posix.join(posix.dirname(path), link));
      for (const { file, readers } of DOCUMENTS) {
        const own = `${posix.dirname(path)}/${file}`;
        if (readers) expect(targets).toContain(own in files ? own : `reference/${file}`);
      }
    }
  });
});

it.each(["reference", "reference/ja"])(
  "the search index of %s leads to existing places, and has words for each",
  (folder) => {
    const entries: { page: string; title: string; heading: string; text: string }[] = JSON.parse(
      files[`${folder}/search.json`] as string,
    );
    const broken = entries.filter(({ page }) => {
      const [file = "", place] = page.split("#");
      const target = find(posix.join(folder, file));
      return !target || (place !== undefined && !target.getElementById(place));
    });
    expect(broken).toEqual([]);
    expect(entries.filter(({ title, heading }) => title === "" || heading === "")).toEqual([]);
    expect(entries.length).toBeGreaterThan(150);
  },
);

describe("a document's page", () => {
  it("has no code of links, headings or tables left", () => {
    for (const { file, language } of DOCUMENTS) {
      const page = find(`reference/${language === "ja" ? "ja/" : ""}${file}`);
      for (const code of findAll(page, "code, pre")) code.remove();
      const left = page.querySelector("article")?.textContent?.match(/\]\(|^#|\|---|\*\*|<!--/m);
      expect([file, left]).toEqual([file, null]);
    }
  });

  it("of a tool goes with it, and nothing leads there any more", () => {
    const texts = Object.fromEntries(DOCUMENTS.map(({ path }) => [path, "# Page\n\n[check](model-check.md)"]));
    expect(createDocumentPages(texts)).toHaveLength(DOCUMENTS.length);
    for (const path of ["docs/model-check.md", "docs/ja/model-check.md"]) delete texts[path];
    const left = createDocumentPages(texts);
    expect(left).toHaveLength(DOCUMENTS.length - 2);
    expect(left.map(({ html }) => html).join()).not.toContain("model-check.html");
    delete texts["docs/install.md"];
    expect(() => createDocumentPages(texts)).toThrow("The document docs/install.md is missing.");
  });

  it("gives raw HTML no way in", () => {
    const markdown = 'a <img src=x onerror="alert(1)"> b\n\n<script>alert(1)</script>\n';
    expect(toMarkup(markdown, () => undefined)).not.toMatch(/<img|<script/);
  });
});

it("a text on a page is escaped, whatever it contains", () => {
  const [reference] = FORMULAS.values();
  const description = `<img src=x onerror="alert(1)"> & 'more'`;
  const metadata = { id: "ODD", name: "ODD", description, parameters: [{ name: "a", description, optional: true }] };
  const text = createPage({ metadata, reference: reference!, language: "en", ids: ["ODD"] });
  const page = new DOMParser().parseFromString(text, "text/html");
  expect(page.querySelector(".lead")?.textContent).toBe(description);
  expect(page.querySelector("img")).toBeNull();
});
