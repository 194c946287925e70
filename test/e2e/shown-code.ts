import type { Frame, Page } from "playwright-core";
import type { Pairings } from "../../src/companion/api/pairing";

/** Creates the code by the command that the pane shows beside its field. */
export async function issueShownCode({ pairings }: { pairings: Pairings }, page: Page | Frame): Promise<string> {
  const command = page.locator("code", { hasText: /^npm run companion -- pair [2-9A-Z]{4}$/ });
  return (await pairings.issue((await command.innerText()).slice(-4))).code;
}
