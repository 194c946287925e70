import { type Provider, toProviderName } from "../provider";
import type { IssuedCode, Pairings } from "./pairing";
import type { OwnRequest } from "./pairing-codes";

/** The parts that show a pairing code. */
interface InvitationOptions {
  pairings: Pairings;
  provider: () => Provider;
  /** Shows the person a line where the companion was started. */
  notify: (line: string) => void;
  /** A service's output is stored as a log, which must hold no code. */
  isTerminal: boolean;
}

/**
 * Shows a code at the companion's terminal for the first page that requests one while no page is paired. For other
 * pages, `pair` makes a code by the name that the page shows.
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

/** Describes a code to the person at the terminal. */
export function toCodeSentence({ code, name }: IssuedCode): string {
  return `Pairing code: ${code}. Enter it within five minutes in the FEED pane that shows ${name}; it pairs that page alone, and five wrong tries end it.`;
}

/** Describes how the first page is paired. */
export function toInvitationSentence(isTerminal: boolean): string {
  return isTerminal
    ? "Open the FEED pane: a code for it is shown here."
    : "Open the FEED pane: it shows the command that makes a code for it.";
}
