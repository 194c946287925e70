import { createSubscribers } from "../../client/subscribers";

/** A sheet whose rules could not be judged after the last refresh. */
export interface Unjudged {
  /** The host's id of the sheet, or its name. */
  sheet: string;
  sheetName: string;
  /** An error, or its text; null where the sheet has no formula that compares periods. */
  reason: unknown;
}

const { subscribe, notify } = createSubscribers();
let all: readonly Unjudged[] = [];

/** What could not be judged, for the list of alerts; this page alone knows it. */
export const unjudged = {
  subscribe,
  /** The same list until it changes. */
  list: () => all,
  has: (sheet: string) => all.some((each) => each.sheet === sheet),
  add(added: Unjudged) {
    if (all.some((each) => each.sheet === added.sheet && each.reason === added.reason)) return;
    all = [...all.filter(({ sheet }) => sheet !== added.sheet), added];
    notify();
  },
  /** Takes off the list what `isMeant` gives. */
  remove(isMeant: (sheet: string) => boolean) {
    const left = all.filter(({ sheet }) => !isMeant(sheet));
    if (left.length === all.length) return;
    all = left;
    notify();
  },
};
