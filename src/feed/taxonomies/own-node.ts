import { NoValueError } from "../../client/errors";
import type { Row } from "../decode";
import { pickPrimaries, readEntries } from "./companies";
import { LEVEL_WORDS, type Level, readId } from "./tree";

/**
 * Picks the node where a company's primary classification puts it.
 *
 * @throws NoValueError (FEED_NO_VALUE) without one, NoValueError (FEED_AMBIGUOUS) with several different ones
 */
export function pickOwnNode(record: Row, level: Level): { level: Level; id: string } {
  const primaries = pickPrimaries(record);
  const ids = listIds(primaries, level);
  const [id] = ids;
  if (ids.length === 1 && id !== undefined) return { level, id };
  if (ids.length > 1) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      `the provider puts the company in ${ids.length} primary ${LEVEL_WORDS[level].several}; use FEED.CONSTITUENTS with ${ids.join(" or ")}`,
    );
  }
  const others = listIds(readEntries(record), level);
  const way =
    others.length > 0 ? `use FEED.CONSTITUENTS with ${others.join(" or ")}` : "name a node in FEED.CONSTITUENTS";
  throw new NoValueError(
    "FEED_NO_VALUE",
    `the provider names no primary ${LEVEL_WORDS[level].one} of the company; ${way}`,
  );
}

function listIds(entries: readonly Row[], level: Level): string[] {
  const ids = entries.map((entry) => readId(entry[`${level}Id`])).filter((id) => id !== null);
  return ids.filter((id, place) => ids.findIndex((each) => each.toLowerCase() === id.toLowerCase()) === place);
}
