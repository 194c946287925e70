import "bootstrap/dist/css/bootstrap.min.css";
import "font-awesome/css/font-awesome.min.css";
import "@odoo/o-spreadsheet/dist/o_spreadsheet.css";
import "./playground.css";
import { loadAddIn } from "./add-in";
import { loadCompanionConfig } from "./companion";
import { loadExamples } from "./examples";
import type { FunctionsMetadata } from "./metadata";
import { showPairing } from "./pairing";
import { type Playground, Sheets } from "./playground";
import { createSampleWorkbook } from "./sample-workbook";
import { createStrip } from "./strip";
import { pickLanguage, pickTexts } from "./texts";

declare global {
  interface Window {
    playground: Playground;
  }
}

const NAMESPACE = "FEED";

const language = pickLanguage(location.search, navigator.language);
document.documentElement.lang = language;
const texts = pickTexts(language);
const strip = createStrip(document, texts);
const sheets = new Sheets({
  namespace: NAMESPACE,
  target: document.getElementById("workbook") as HTMLElement,
  onUpdate: strip.showCell,
});

async function start(): Promise<void> {
  const [answer, metadata] = await Promise.all([loadCompanionConfig(), learn()]);
  if (!answer) {
    strip.showProvider("");
    strip.showTrouble(texts.companionDown);
  }
  const config = answer === "unpaired" ? undefined : answer;
  if (answer === "unpaired") strip.showProvider(texts.unpaired);
  if (config?.sample) strip.showSampleBadge();
  if (config) strip.showProvider(config.sample ? texts.sampleProvider : texts.provider(new URL(config.baseUrl).host));
  if (metadata) await showFormulas(metadata, config?.sample ?? false);
  await sheets.open(config?.sample ? createSampleWorkbook() : undefined);
  if (answer === "unpaired") showPairing(document, texts); // last, for a workbook that opens takes the focus
}

async function learn(): Promise<FunctionsMetadata | undefined> {
  try {
    const metadata = await loadAddIn(sheets.customFunctions, language);
    sheets.learn(metadata);
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

window.playground = sheets.createDriver(start());
