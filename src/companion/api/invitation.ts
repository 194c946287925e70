import { type Provider, toProviderName } from "../provider";
import type { IssuedCode, Pairings } from "./pairing";
import type { OwnRequest } from "./pairing-codes";

/** Where a code may be shown. */
interface InvitationOptions {
  pairings: Pairings;
  provider: () => Provider;
  /** Shows the person a line where the companion was started. */
  notify: (line: string) => void;
  /** What a service prints is kept as a log, and no log holds a code. */
  isTerminal: boolean;
}

/**
 * Creates what shows a code, at the terminal in which the companion runs, to the first page that asks while nobody is paired.
 * Any other page's code is made by `pair` and the name that the page shows: none comes up for a page that nobody has opened.
 */
export function createInvitation({ pairings, provider, notify, isTerminal }: InvitationOptions) {
  let invited: string | undefined;
  return async ({ name }: Pick<OwnRequest, "name">): Promise<void> => {
    const current = toProviderName(provider());
    if (!isTerminal || invited === current || (await pairings.list(current)).length > 0) return;
    invited = current;
    notify(toCodeSentence(await pairings.issue(name)));
  };
}

/** Says to the person at the terminal what a code is for. */
export function toCodeSentence({ code, name }: IssuedCode): string {
  return `Pairing code: ${code}. Enter it within five minutes in the FEED pane that shows ${name}; it pairs that page alone, and five wrong tries end it.`;
}

/** Says how the first page is paired. */
export function toInvitationSentence(isTerminal: boolean): string {
  return isTerminal
    ? "Open the FEED pane: a code for it is shown here."
    : "Open the FEED pane: it shows the command that makes a code for it.";
}
