import { NoValueError } from "../../client/errors";
import { joined, type Message, msg } from "../../client/messages";
import { type Identity, listAlike } from "../../feed/rankings/joining";
import type { Entry, RankedList } from "../../feed/rankings/ranked-list";
import { quote } from "../arguments";

const MOST_CANDIDATES = 5;

/** Lists rows for a choice, at most five: "4899 · Tsukikage Holdings · Hiroshima". */
function describeEntries(entries: readonly Entry[]): Message {
  const shown = joined(entries.slice(0, MOST_CANDIDATES).map(describeEntry), "; ");
  return entries.length > MOST_CANDIDATES ? msg`${shown} and ${entries.length - MOST_CANDIDATES} more` : shown;
}

function describeEntry({ source: { tickerSymbol, industryId, headquarters, subSectorName }, name }: Entry): Message {
  const facts = [tickerSymbol ?? industryId, name, headquarters ?? subSectorName];
  return joined(
    facts.filter((fact) => typeof fact === "string" && fact !== ""),
    " · ",
  );
}

/** The error of a name that no ranking has. */
export const toUnknownName = (text: string, named: Message): NoValueError =>
  new NoValueError(
    "FEED_NO_VALUE",
    msg`no ${named} in these rankings is called ${quote(text)}; give a ticker, an industry's id or a name, since rankings have no registration numbers and no company ids`,
  );

/** The error of a name that several have. */
export const toSeveralNames = (text: string, entries: readonly Entry[]): NoValueError =>
  new NoValueError(
    "FEED_AMBIGUOUS",
    msg`${quote(text)} fits ${entries.length} rows of these rankings: ${describeEntries(entries)}; give the ticker or the industry's id`,
  );

/** The error of a row that is not certainly the same as in another period. */
export function toUncertain(list: RankedList, identity: Identity, period: string): NoValueError {
  const alike = listAlike(list, identity);
  const name = quote(identity.names[0]);
  if (alike.length > 1 || identity.code !== null) {
    return new NoValueError(
      "FEED_AMBIGUOUS",
      msg`${name} is not certain in ${period}: ${describeEntries(alike)} could be it; compare them in FEED.RANKING`,
    );
  }
  if (!list.isWhole) {
    return new NoValueError(
      "FEED_AMBIGUOUS",
      msg`${name} has no ticker, so that only the whole ranking of ${period} shows whether it is alone; name it in place of "top"`,
    );
  }
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`${name} has no ticker, and it may have another name in ${period}; compare both periods in FEED.RANKING`,
  );
}
