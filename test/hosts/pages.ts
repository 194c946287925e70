import type { Browser } from "playwright-core";
import type { HostProfile } from "../../src/playground/hosts/profile";
import { openPlayground } from "../e2e/playground-page";
import { type OfficeHost, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { readFacts } from "../support/formula-calls";
import { waitUntilConnected } from "../support/pane-page";

/** A browser and a companion, for the pages of a file. */
export interface HostPages {
  /** The first company's id. */
  id: string;
  /** Opens the playground by the query of its address. */
  openPlayground(query: string): ReturnType<typeof openPlayground>;
  /** Opens the pane in a workbook whose switch for properties of numbers is on. */
  openPane(profile: HostProfile): Promise<OfficeHost>;
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
    openPlayground: (query) => openPlayground(browser, `${origin}/playground.html?${query}`),
    async openPane({ requirementSets, paneWidth }) {
      const office = await openOfficeHost(browser, {
        origin,
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
