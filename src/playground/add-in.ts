import type { CustomFunctionsGlobal } from "./custom-functions";
import type { FunctionsMetadata } from "./metadata";
import { createOffice } from "./office";

/** Where functions.json is in each language, as the manifest tells Excel. */
const METADATA = { en: "/functions.json", ja: "/functions-ja.json" };

/**
 * Loads the built add-in by address, as Excel does: first what functions.json lists, then the bundle itself.
 * @throws Error when one of them is not there.
 */
export async function loadAddIn(
  customFunctions: CustomFunctionsGlobal,
  language: keyof typeof METADATA,
): Promise<FunctionsMetadata> {
  Object.assign(globalThis, { CustomFunctions: customFunctions, Office: createOffice() });
  const address = METADATA[language];
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  const metadata = (await response.json()) as FunctionsMetadata;
  await loadScript("/functions.js");
  return metadata;
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${address} could not be loaded.`));
    document.head.append(script);
  });
}
