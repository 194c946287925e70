import "./no-compiling";
import "bootstrap/dist/css/bootstrap.min.css";
import "font-awesome/css/font-awesome.min.css";
import "@odoo/o-spreadsheet/dist/o_spreadsheet.css";
import "./playground.css";
import { PLAYGROUND_WORKBOOK } from "../contract/workbook";
import { cachePage } from "../taskpane/offline";
import { loadAddIn } from "./add-in";
import { createCommands } from "./commands";
import { type CompanionAnswer, loadCompanionConfig, watchConfigRequests } from "./companion";
import { createOffice } from "./document-settings";
import { translateEngine } from "./engine-texts";
import { createGrowth } from "./growing";
import { KeptWorkbook } from "./kept-workbook";
import { findStore } from "./kept-workbook/store";
import type { FunctionsMetadata } from "./metadata";
import { createPaneWorkbook } from "./pane-workbook";
import { letRecalculate, type Playground, Sheets } from "./playground";
import { bindRegions } from "./regions";
import { createSampleWorkbook, SCRATCH_CELL } from "./sample-workbook";
import { bindShortcuts, loadShortcuts } from "./shortcuts";
import { addCellMenu, createSidePanel, createStrip, showCommands } from "./strip";
import { pickLanguage, pickTexts } from "./texts";
import { openWorkbook, readView, selectCell } from "./workbook";
import { readXlsx, writeXlsx } from "./xlsx";
import { createFunctionNames } from "./xlsx/function-names";

declare global {
  interface Window {
    playground: Playground;
  }
}

const NAMESPACE = "FEED";

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

const sheets = new Sheets({ namespace: NAMESPACE, target });

letRecalculate(document, sheets);
bindRegions(document, {
  strip: document.querySelector("header") as HTMLElement,
  grid: target,
  pane: panel.frame,
  isEditing: () => sheets.isEditing,
});

sheets.onUpdate(createGrowth());
sheets.onUpdate((model) => strip.showCell(readView(model, model.getters.getActivePosition())));

let endOpening = () => {};

const opened = new Promise<void>((resolve) => {
  endOpening = resolve;
});

async function start(): Promise<KeptWorkbook> {
  const [answer, metadata, store] = await Promise.all([loadCompanionConfig(), learn(), findStore()]);
  if (!answer && navigator.onLine) strip.showTrouble(texts.companionDown); // without a network the pane shows it
  const isSample = await showCompanion(answer, metadata);
  const sample = { create: createSampleWorkbook, start: () => selectCell(sheets.model, SCRATCH_CELL) };
  const names = createFunctionNames(NAMESPACE, metadata?.functions.map(({ name }) => name) ?? []);
  const excel = {
    write: (snapshot?: object) => writeXlsx(snapshot ? openWorkbook(snapshot) : sheets.model, names),
    read: (bytes: Uint8Array) => readXlsx(bytes, names),
  };
  const options = { root: document, texts, language, sheets, store, excel };
  const kept = new KeptWorkbook({ ...options, sample: isSample ? sample : undefined });
  await kept.openLast().finally(endOpening);
  watchConfigRequests(panel.frame.contentWindow as Window & typeof globalThis, async () => {
    await showCompanion(await loadCompanionConfig(), metadata);
  });
  void cachePage(); // by the pane's worker, which starts after the pane's files
  return kept;
}

/** Shows the companion's configuration in the strip and the help; resolves to whether its data are a sample. */
async function showCompanion(answer: CompanionAnswer, metadata: FunctionsMetadata | undefined): Promise<boolean> {
  const isUnpaired = answer === "unpaired";
  const isSample = !isUnpaired && answer?.sample === true;
  strip.showSampleBadge(isSample);
  if (isUnpaired) strip.showProvider(texts.unpaired);
  else if (!answer) strip.showProvider("");
  else strip.showProvider(isSample ? texts.sampleProvider : texts.provider(new URL(answer.baseUrl).host));
  if (metadata) await showFormulas(metadata, isSample);
  return isSample;
}

async function learn(): Promise<FunctionsMetadata | undefined> {
  try {
    const shortcuts = loadShortcuts();
    const office = createOffice({
      language,
      shortcuts,
      settings: sheets.settings,
      opened,
      commands,
      pane: panel,
    });
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

async function showFormulas({ functions }: FunctionsMetadata, sample: boolean): Promise<void> {
  const examples = await loadExamples(sample);
  strip.showFormulas(
    functions.map((metadata) => ({
      namespace: NAMESPACE,
      metadata,
      example: examples[metadata.id],
      page: `reference/${language === "en" ? "" : `${language}/`}${metadata.id}.html`,
    })),
  );
}

const started = start();

window.playground = sheets.createDriver({
  ready: started.then(() => {}),
  load: async (snapshot) => (await started).openUnkept(snapshot),
});

interface Example {
  formula: string;
  /** The formula for providers without the sample data. */
  elsewhere: string;
}

/** Loads an example of each function from the reference; none where it is missing. */
async function loadExamples(sample: boolean): Promise<Record<string, string>> {
  const response = await fetch("/reference/examples.json").catch(() => undefined);
  if (!response?.ok) return {};
  const examples = (await response.json()) as Record<string, Example[]>;
  const firsts = Object.entries(examples).flatMap(([id, [first]]) => (first ? [[id, first] as const] : []));
  return Object.fromEntries(firsts.map(([id, { formula, elsewhere }]) => [id, sample ? formula : elsewhere]));
}
