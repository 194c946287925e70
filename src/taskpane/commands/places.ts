import type { Place } from "../../contract/workbook";
import { showPlace } from "../addresses";

const PLACES_NAMED = 5;

/** Names the first few of some places, and tells whether there are more. */
export function namePlaces(places: readonly Place[]): [named: string, isCut: boolean] {
  return [places.slice(0, PLACES_NAMED).map(showPlace).join(", "), places.length > PLACES_NAMED];
}
