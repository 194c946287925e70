import type { Browser } from "playwright-core";
import { type OfficeHost, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { readFacts } from "../support/formula-calls";
import { waitUntilConnected } from "../support/pane-page";
import type { HostProfile } from "./profiles";

/** A browser and a companion, for the pages of a file. */
export interface HostPages {
  /** The first company's id. */
  id: string;
  /** Opens the pane in a workbook whose switch for properties of numbers is on, in English by default. */
  openPane(profile: HostProfile, language?: "en-US" | "ja-JP"): Promise<OfficeHost>;
  close(): Promise<void>;
}

export async function startHostPages(): Promise<HostPages> {
  const [browser, companion]: [Browser, RunningCompanion] = await Promise.all([
    launchBrowser(),
    startCompanion({ companies: 300 }),
  ]);
  const { origin } = companion;
  const { companies } = await readFacts(await createDirectReading(origin));
  return {
    id: companies[0]!.id,
    async openPane({ requirementSets, paneWidth }, language) {
      const office = await openOfficeHost(browser, {
        origin,
        language,
        requirementSets: requirementSets.value,
        settings: { feed: '{"numberProperties":true}' },
        context: { viewport: { width: paneWidth.value, height: 720 } },
      });
      await waitUntilConnected(office.page);
      return office;
    },
    async close() {
      await browser.close();
      await companion.close();
    },
  };
}
