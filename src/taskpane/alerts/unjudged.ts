/** A sheet whose rules could not be judged after the last refresh. */
export interface Unjudged {
  /** The host's id of the sheet, or its name. */
  sheet: string;
  sheetName: string;
  /** An error, or its text; null where the sheet has no formula that compares periods. */
  reason: unknown;
}

const listeners = new Set<() => void>();
let all: readonly Unjudged[] = [];

function change(changed: readonly Unjudged[]): void {
  all = changed;
  for (const listener of listeners) listener();
}

/** What could not be judged, for the list of alerts; this page alone knows it. */
export const unjudged = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  /** The same list until it changes. */
  list: () => all,
  has: (sheet: string) => all.some((each) => each.sheet === sheet),
  add(added: Unjudged) {
    if (all.some((each) => each.sheet === added.sheet && each.reason === added.reason)) return;
    change([...all.filter(({ sheet }) => sheet !== added.sheet), added]);
  },
  /** Takes off the list what `isMeant` gives. */
  remove(isMeant: (sheet: string) => boolean) {
    const left = all.filter(({ sheet }) => !isMeant(sheet));
    if (left.length < all.length) change(left);
  },
};
