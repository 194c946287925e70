import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { DOCUMENTS } from "../../src/reference/documents";
import { DOCUMENT_FILES, listMarkdown, ROOT, readText } from "./examples";

const COMPANION = ["companion/README", "companion/API", "companion/THREATS", "firm/README", "firm/THREATS"].map(
  (name) => `src/${name}.md`,
);
const OF_TESTS = ["bench", "cases", "differential", "hosts", "office", "soak"].map((name) => `test/${name}/README.md`);
const GUIDES = [
  ...DOCUMENT_FILES,
  "src/README.md",
  "src/contract/README.md",
  ...COMPANION,
  "test/README.md",
  ...OF_TESTS,
];

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The sentences of a document's paragraphs and lists. */
function listSentences(markdown: string): string[] {
  const prose = markdown.replace(/```[\s\S]*?```|^[|#<].*$/gm, "").replace(/\]\([^)]*\)/g, "]");
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/).map((block) => block.replace(/\s+/g, " "));
  return blocks.flatMap((block) => block.split(/(?<=[.!?:;])\s/));
}

/** The anchors of a document's headings, as code hosts make them. */
function listPlaces(path: string): string[] {
  const headings = [
    ...readText(path)
      .replace(/^```[\s\S]*?^```/gm, "")
      .matchAll(/^#+ (.+)$/gm),
  ];
  return headings.map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The links of a document to other files and places of the project. */
const listLinks = (path: string): { file: string; place: string }[] =>
  [...readText(path).matchAll(/\]\(([^)#:\s]*)#?([^)\s:]*)\)/g)].map(([, file = "", place = ""]) => ({
    file: file === "" ? path : join(dirname(path), file),
    place,
  }));

describe("the documents", () => {
  it.each([
    ["README.md", 700],
    ["docs/analyst.md", 1500],
    ["docs/firm.md", 5000],
    ["docs/runbook.md", 800],
    ["src/firm/README.md", 500],
    ["src/companion/README.md", 700],
  ])("keep %s within %i words", (path, most) => {
    expect(countWords(readText(path))).toBeLessThanOrEqual(most);
  });

  it("keep within 42,000 words together", () => {
    const all = ["README.md", ...["docs", "src", "test"].flatMap(listMarkdown)];
    expect(countWords(all.map(readText).join("\n"))).toBeLessThanOrEqual(42_000);
  });

  it.each(COMPANION)("keep %s within 300 lines", (path) => {
    expect(readText(path).trimEnd().split("\n").length).toBeLessThanOrEqual(300);
  });

  it.each([...DOCUMENT_FILES.filter((path) => !path.startsWith("docs/ja/")), ...COMPANION])(
    "keep sentences within 25 words: %s",
    (path) => {
      expect(listSentences(readText(path)).filter((sentence) => countWords(sentence) > 25)).toEqual([]);
    },
  );

  it("lead from README.md to everybody's page", () => {
    const linked = listLinks("README.md").map(({ file }) => file);
    expect(linked).toEqual(expect.arrayContaining(["docs/analyst.md", "docs/ja/analyst.md", "docs/install.md"]));
    expect(linked).toEqual(expect.arrayContaining(["docs/developer.md", "docs/reliability.md"]));
  });

  it("are all served", () => {
    const served = DOCUMENTS.map(({ path }) => path);
    expect(DOCUMENT_FILES.filter((path) => path !== "README.md" && !served.includes(path))).toEqual([]);
  });

  it.each(GUIDES)("name only existing files and places: %s", (path) => {
    const links = listLinks(path);
    const named = [...readText(path).matchAll(/`?\b((?:src|test|assets)\/[\w./-]*\w\.\w+)\b`?/g)];
    const files = [...links.map(({ file }) => file), ...named.map(([, file = ""]) => file)];
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(links.filter(({ file, place }) => place !== "" && !listPlaces(file).includes(place))).toEqual([]);
  });

  it("link to pages of the reference that the build writes", () => {
    const addresses = DOCUMENT_FILES.flatMap((path) => [
      ...readText(path).matchAll(/http:\/\/localhost:3000\/(reference\/[\w./-]*)/g),
    ]);
    expect(addresses.length).toBeGreaterThan(3);
    expect(
      addresses.map(([, page]) => page).filter((page) => !existsSync(join(ROOT, "dist/web", page as string))),
    ).toEqual([]);
  });
});

describe("src/README.md", () => {
  const story = readText("src/README.md");

  it("is a story of at most 120 lines", () => {
    expect(story.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  });

  it("describes the journeys by existing files", () => {
    const journeys = story.split("\n## Two journeys\n")[1]?.split("\n## ")[0] ?? "";
    const named = [...journeys.matchAll(/(?<![\w-])[a-z-]+\/[a-zA-Z-]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(30);
    const isFile = (name: string) =>
      ["", "client/", "feed/", "functions/", "companion/", "firm/", "firm/reads/", "taskpane/"].some((folder) =>
        [".ts", ".tsx"].some((ending) => existsSync(join(ROOT, "src", folder + name + ending))),
      );
    expect(named.filter((name) => !isFile(name))).toEqual([]);
  });
});

/** Names of Excel and of Microsoft 365, which this project does not write. */
const MICROSOFTS = ["Evaluate Formula", "数式の検証", "Integrated apps", "Fixed"];

/** The sources of everything that people can press or read in ribbon, pane and playground; "…" for each parameter. */
const sources = [
  "manifest.xml",
  "src/taskpane/texts.ts",
  ...listSources("src/taskpane/texts"),
  ...listSources("src/taskpane/commands"),
  ...listSources("src/tools"),
  ...listSources("src/playground"),
]
  .map(readText)
  .join("\n")
  .replace(/`([^`\n]*)`/g, (_, label: string) => `"${label.replace(/\$\{\w+\}/g, "…")}"`);

function listSources(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => `${folder}/${name}`);
}

/** The labels in a document: bold words that are no sentence and no beginning of one. */
const listLabels = (markdown: string): string[] =>
  [...markdown.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = ""]) => label).filter((label) => !/[.:?]$/.test(label));

const LABELS = DOCUMENT_FILES.filter((path) => /README|analyst|install|connect/.test(path)).flatMap((path) =>
  listLabels(readText(path)).map((label): [string, string] => [path, label]),
);

describe("the labels in the documents", () => {
  it("are many", () => {
    expect(LABELS.length).toBeGreaterThan(40);
  });

  it("are those of ribbon, pane and playground, in each language", () => {
    const unknown = LABELS.filter(([, label]) => !MICROSOFTS.includes(label) && !sources.includes(`"${label}"`));
    expect(unknown).toEqual([]);
  });
});

const reliability = readText("docs/reliability.md");
const script = readText("docs/excel-acceptance.md");

/** The script's rows: step, what to do, what to see. */
const steps = [...script.matchAll(/^\| (\d+) \| (.+) \| ([^|]+) \|$/gm)].map(([line, step, act, see]) => {
  return { line, step: Number(step), act, see };
});

describe("the hour with a desktop Excel", () => {
  it("has 25 steps in order, each of one line with what must be seen", () => {
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    expect(steps.filter(({ line, see = "" }) => line.length > 220 || see.trim().length < 3)).toEqual([]);
  });

  it("is linked from docs/reliability.md, whose every open claim names the steps that settle it", () => {
    const chapter = reliability.split("\n## Not proved in desktop Excel\n")[1]?.split("\n## ")[0] ?? "";
    expect(chapter).toContain("(excel-acceptance.md)");
    const claims = chapter.split("\n- ").slice(1);
    const named = claims.map(
      (claim) =>
        claim
          .match(/\(steps? ([\d,\s]+)\)\s*$/)?.[1]
          ?.split(",")
          .map(Number) ?? [],
    );
    expect(claims.filter((_, index) => named[index]?.length === 0)).toEqual([]);
    const numbers = named.flat();
    expect(numbers.filter((step) => !steps.some((each) => each.step === step))).toEqual([]);
    expect(new Set(numbers).size).toBe(steps.length);
  });
});
