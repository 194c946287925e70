import "./no-compiling";
import "bootstrap/dist/css/bootstrap.min.css";
import "font-awesome/css/font-awesome.min.css";
import "@odoo/o-spreadsheet/dist/o_spreadsheet.css";
import "./playground.css";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER, PAIRING_STORAGE_KEY } from "../contract/companion-api";
import { PLAYGROUND_WORKBOOK } from "../contract/workbook";
import { cachePage } from "../taskpane/offline";
import { createFunctionNames } from "../xlsx/names";
import type { AddIn } from "../xlsx/settings";
import type { FunctionsMetadata } from "./custom-functions";
import { translateEngine } from "./formulas";
import { KeptWorkbook } from "./kept-workbook";
import { findStore } from "./kept-workbook/store";
import { bindShortcuts, createCommands, createOffice, loadShortcuts, SURROUNDINGS, type Surroundings } from "./office";
import { addCellMenu, bindRegions, createSidePanel, createStrip, showCommands } from "./page";
import { createPaneWorkbook } from "./pane-workbook";
import { letRecalculate, type Playground, type Saved, Sheets } from "./playground";
import { createSampleWorkbook, SCRATCH_CELL } from "./sample-workbook";
import { pickLanguage, pickTexts } from "./texts";
import { createGrowth, openWorkbook, readView, selectCell } from "./workbook";
import { readXlsx, writeXlsx } from "./xlsx";

declare global {
  interface Window {
    playground: Playground;
  }
}

const NAMESPACE = "FEED";
/** The path of functions.json in each language, as in the manifest. */
const METADATA = { en: "/functions.json", ja: "/functions-ja.json" };
/** The page of the shared runtime: formulas and pane run in it, as in Excel. */
const PAGE = "/playground-pane.html";

const language = pickLanguage(location.search, navigator.language);

document.documentElement.lang = language;
translateEngine(language);

const texts = pickTexts(language);

const strip = createStrip(document, texts);

const panel = createSidePanel(document, texts);

const commands = createCommands();

showCommands(document, texts, commands);

addCellMenu(texts, commands);

const target = document.getElementById("workbook") as HTMLElement;

const sheets = new Sheets({ namespace: NAMESPACE, target, texts });

letRecalculate(document, sheets);
bindRegions(document, {
  strip: document.querySelector("header") as HTMLElement,
  grid: target,
  pane: panel.frame,
  isEditing: () => sheets.isEditing,
});

/** The opening of the workbook, whose settings the add-in's page reads first of all. */
let opening: Promise<unknown> = Promise.resolve();

function followSheets(): void {
  sheets.onUpdate(createGrowth());
  sheets.onUpdate((model) => strip.showCell(readView(model, model.getters.getActivePosition())));
}

async function start(): Promise<KeptWorkbook> {
  followSheets();
  const [answer, metadata, store] = await Promise.all([loadCompanionConfig(), learn(), findStore()]);
  if (!answer && navigator.onLine) strip.showTrouble(texts.companionDown); // without a network the pane shows it
  const isSample = showCompanion(answer);
  const sample = { create: createSampleWorkbook, start: () => selectCell(sheets.model, SCRATCH_CELL) };
  const names = createFunctionNames(NAMESPACE, metadata?.functions.map(({ name }) => name) ?? []);
  const excel = {
    write: async (snapshot?: object & Partial<Saved>) => {
      const settings = snapshot ? snapshot.documentSettings : sheets.settings.read();
      const model = snapshot ? openWorkbook(snapshot) : sheets.model;
      return writeXlsx(model, { names, settings, addIn: await loadAddInId() });
    },
    read: (bytes: Uint8Array, onUnreadable: () => void) => readXlsx(bytes, names, onUnreadable),
  };
  const options = { root: document, texts, language, sheets, store, excel, inNewPage };
  const kept = new KeptWorkbook({ ...options, sample: isSample ? sample : undefined });
  await kept.openLast();
  void cachePage(); // by the pane's worker, which starts after the pane's files
  return kept;
}

/** Shows the companion's configuration; returns whether its data are a sample. */
function showCompanion(answer: CompanionAnswer): boolean {
  const isUnpaired = answer === "unpaired";
  const isSample = !isUnpaired && answer?.sample === true;
  strip.showSampleBadge(isSample);
  if (isUnpaired) strip.showProvider(texts.unpaired);
  else if (!answer) strip.showProvider("");
  else strip.showProvider(isSample ? texts.sampleProvider : texts.provider(new URL(answer.baseUrl).host));
  return isSample;
}

async function learn(): Promise<FunctionsMetadata | undefined> {
  try {
    const shortcuts = loadShortcuts();
    const opened = () => opening.catch(() => {});
    const office = createOffice({ language, shortcuts, settings: sheets.settings, opened, commands, pane: panel });
    const surroundings = {
      Office: office,
      CustomFunctions: sheets.customFunctions,
      [PLAYGROUND_WORKBOOK]: createPaneWorkbook(sheets),
    };
    const metadata = await loadAddIn(panel.frame, surroundings, language);
    if (!sheets.hasFunctions) throw new Error("The page has no functions.");
    sheets.learn(metadata);
    bindShortcuts(document, await shortcuts, commands.run);
    return metadata;
  } catch {
    strip.showTrouble(texts.functionsMissing);
    return undefined;
  }
}

/**
 * Loads the built add-in by address, as Excel does: first what functions.json lists, then the page with the bundles.
 * @throws Error when functions.json or that page is not there.
 */
async function loadAddIn(
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

/** Loads the add-in's id and version from its manifest; empty where there is none. */
async function loadAddInId(): Promise<AddIn> {
  const manifest = await fetch("/manifest.xml").then((response) => response.text());
  const read = (tag: string) => new RegExp(`<${tag}>([^<]+)`).exec(manifest)?.[1] ?? "";
  return { id: read("Id"), version: read("Version") };
}

/** Resolves when the page's scripts have run or failed to load. */
async function loadPage(frame: HTMLIFrameElement, address: string): Promise<void> {
  await new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
    frame.src = address;
  });
  followConfiguration(frame.contentWindow as Window & typeof globalThis);
}

/** Opens a workbook with the add-in's page started anew, as Excel does: it knows nothing of the one before, which opens first. */
async function inNewPage(open: () => Promise<void>): Promise<void> {
  opening = opening
    .catch(() => {})
    .then(async () => {
      sheets.leavePage();
      followSheets();
      await loadPage(panel.frame, PAGE);
      await open();
    });
  await opening;
}

/** The part of the companion's configuration that this page shows. */
interface CompanionConfig {
  sample: boolean;
  baseUrl: string;
}

/** The companion's configuration; "unpaired" for an unpaired page, undefined without an answer. */
type CompanionAnswer = CompanionConfig | "unpaired" | undefined;

const CONFIG = "/companion/config";

/** Loads the companion's configuration. */
async function loadCompanionConfig(): Promise<CompanionAnswer> {
  try {
    const response = await fetch(CONFIG, { headers: { [CLIENT_HEADER]: CLIENT_NAME, ...readPairing() } });
    if (response.status === 401) return "unpaired";
    return response.ok ? ((await response.json()) as CompanionConfig) : undefined;
  } catch {
    return undefined;
  }
}

function readPairing(): Record<string, string> {
  try {
    const bearer = localStorage.getItem(PAIRING_STORAGE_KEY) ?? "";
    return /^[\w-]+$/.test(bearer) ? { [PAIRING_HEADER]: bearer } : {};
  } catch {
    return {}; // storage is blocked
  }
}

/** Shows the configuration when a page has loaded it: on connecting, pairing, or set-up. */
function followConfiguration(page: Window & typeof globalThis): void {
  const observer = new page.PerformanceObserver(async (list) => {
    const isLoaded = list.getEntries().some(({ name }) => new URL(name).pathname === CONFIG);
    if (isLoaded) showCompanion(await loadCompanionConfig());
  });
  observer.observe({ type: "resource" });
}

const started = start();

opening = started;

window.playground = sheets.createDriver({
  ready: started.then(() => {}),
  load: async (snapshot) => (await started).openUnkept(snapshot),
});
