import { type Catalogue, setCatalogue } from "../client/messages";
import type { Session } from "./session";

/** Shows messages in Japanese from now on, and the errors in cells again. They stay English without the script. */
export async function adoptJapanese({ calls }: Pick<Session, "calls">): Promise<void> {
  const catalogue = await loadCatalogue().catch(() => null);
  if (catalogue === null) return;
  setCatalogue(catalogue);
  for (const call of calls.list()) if (call.error !== null) call.reread(true);
}

/** Loads the Japanese templates. */
export async function loadCatalogue(): Promise<Catalogue> {
  const [{ CLIENT }, { FEED }, { FUNCTIONS }] = await Promise.all([
    import(/* webpackChunkName: "japanese" */ "./japanese/client"),
    import(/* webpackChunkName: "japanese" */ "./japanese/feed"),
    import(/* webpackChunkName: "japanese" */ "./japanese/functions"),
  ]);
  return { ...CLIENT, ...FEED, ...FUNCTIONS };
}
