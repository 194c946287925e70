import { type Catalogue, setCatalogue } from "../../client/messages";
import type { Call } from "../calls";
import type { Session } from "../session";
import { CLIENT } from "./client";
import { translateSentence } from "./companion";
import { FEED } from "./feed";
import { FUNCTIONS } from "./functions";

/** The Japanese templates by the English ones. */
export const CATALOGUE: Catalogue = { ...CLIENT, ...FEED, ...FUNCTIONS };

/** Shows messages in Japanese from now on, and those in cells again. */
export function showJapanese({ calls }: Pick<Session, "calls">): void {
  setCatalogue(CATALOGUE, translateSentence);
  for (const call of calls.list()) if (mayShowMessage(call)) call.reread(true);
}

/** Whether a formula is an error, or a table, whose cells may be messages. */
const mayShowMessage = ({ error, shown }: Call): boolean =>
  error !== null || (Array.isArray(shown) && (shown.length > 1 || (shown[0]?.length ?? 0) > 1));
