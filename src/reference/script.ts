// The script of every page. It shows formulas by the separators of the reader's Excel, which the pane gives in the address,
// and finds pages by words where the page has a search.
import { separate } from "../feed/formula-separators";
import type { SearchEntry } from "./index-page";

/** A line that is a formula, and no result or command. */
const FORMULA = /^(?:=|[A-Z]+\.[A-Z.]+\().*$/gm;

function showSeparators(): void {
  let separators = new URLSearchParams(location.search).get("separators") ?? "";
  try {
    // Links between pages carry none.
    if (separators === "") separators = sessionStorage.getItem("feed.separators") ?? "";
    else sessionStorage.setItem("feed.separators", separators);
  } catch {} // the browser blocks its storage
  if (separators.length === 3) {
    for (const code of document.querySelectorAll("code"))
      code.textContent = `${code.textContent}`.replace(FORMULA, (formula) => separate(formula, separators));
    document.getElementById("separators")?.remove();
  }
}

const MOST_RESULTS = 20;
const EXCERPT_CHARACTERS = 160;
const SCORES = { title: 8, heading: 4, text: 1 } as const;

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Finds the entries that have every word, best first. */
function findEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scored = entries.map((entry) => ({ entry, scores: words.map((word) => toScore(entry, word)) }));
  return scored
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ entry, scores }) => ({ entry, score: scores.reduce((sum, score) => sum + score, 0) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry);
}

const toScore = (entry: SearchEntry, word: string): number =>
  (Object.keys(SCORES) as (keyof typeof SCORES)[])
    .filter((part) => fold(entry[part]).includes(word))
    .reduce((sum, part) => sum + SCORES[part], 0);

/** The text around the first word. */
function toExcerpt({ text }: SearchEntry, query: string): string {
  const [word = ""] = fold(query).split(/\s+/).filter(Boolean);
  const at = Math.max(0, fold(text).indexOf(word) - EXCERPT_CHARACTERS / 4);
  const cut = text.slice(at, at + EXCERPT_CHARACTERS);
  return `${at > 0 ? "…" : ""}${cut}${at + cut.length < text.length ? "…" : ""}`;
}

function createResult(entry: SearchEntry, query: string): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = entry.page;
  link.textContent = entry.heading === entry.title ? entry.title : `${entry.title}: ${entry.heading}`;
  const excerpt = document.createElement("p");
  excerpt.textContent = toExcerpt(entry, query);
  item.append(link, excerpt);
  return item;
}

/** Connects the search field; the index loads with the first letter. */
function startSearch(form: HTMLFormElement): void {
  const field = form.querySelector("input") as HTMLInputElement;
  const results = form.querySelector("ol") as HTMLOListElement;
  const count = form.querySelector("output") as HTMLOutputElement;
  let loaded: Promise<SearchEntry[]> | undefined;
  const show = async () => {
    loaded ??= fetch(form.dataset.index as string).then((response) => response.json());
    const entries = await loaded;
    const query = field.value;
    const found = findEntries(entries, query);
    results.replaceChildren(...found.map((entry) => createResult(entry, query)));
    count.value = query.trim() === "" ? "" : String(found.length);
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => void show());
  form.hidden = false;
}

showSeparators();
const search = document.getElementById("search");
if (search instanceof HTMLFormElement) startSearch(search);
