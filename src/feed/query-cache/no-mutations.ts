/**
 * Stands in the bundles for the parts of @tanstack/query-core that write to a server or read a list without end.
 * Its client imports them, nothing here uses them, and they weigh 1.7 KB compressed in the script of every start.
 */

/** Is made once by the library's client and never asked. */
export class MutationCache {}

/** Would be called by a query without end; there is none. */
export function infiniteQueryBehavior(): never {
  throw new Error("the bundles leave infinite queries out");
}
