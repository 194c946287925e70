import type { FunctionsMetadata } from "./metadata";
import { SURROUNDINGS, type Surroundings } from "./surroundings";

/** The path of functions.json in each language, as in the manifest. */
const METADATA = { en: "/functions.json", ja: "/functions-ja.json" };
/** The page of the shared runtime: formulas and pane run in it, as in Excel. */
const PAGE = "/playground-pane.html";

/**
 * Loads the built add-in by address, as Excel does: first what functions.json lists, then the page with the bundles.
 * @throws Error when functions.json or that page is not there.
 */
export async function loadAddIn(
  frame: HTMLIFrameElement,
  surroundings: Surroundings,
  language: keyof typeof METADATA,
): Promise<FunctionsMetadata> {
  Object.assign(globalThis, { [SURROUNDINGS]: surroundings });
  const address = METADATA[language];
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  const metadata = (await response.json()) as FunctionsMetadata;
  await loadPage(frame, PAGE);
  return metadata;
}

/** Resolves when the page's scripts have run or failed to load. */
function loadPage(frame: HTMLIFrameElement, address: string): Promise<void> {
  return new Promise((resolve) => {
    frame.addEventListener("load", () => resolve(), { once: true });
    frame.src = address;
  });
}
