import { type Argument, splitSingle, toRange } from "./arguments";
import { lazily, type Open } from "./stream";
import type { View } from "./view-observer";

const load = () => import(/* webpackChunkName: "views" */ "./views/listed-companies");
const openListed = lazily(async () => (await load()).openListed);

/**
 * Opens a formula that takes several companies; a single text with commas, which may be a list or a company's name, is left
 * to a script of its own.
 *
 * @param name the argument that has the companies
 */
export const opensListed =
  <Name extends string, Given extends Record<Name, Argument>>(name: Name, open: (given: Given) => View): Open<Given> =>
  (given) =>
    splitSingle(toRange(given[name])) === null ? open(given) : openListed({ name, given, open });
