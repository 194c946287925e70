import { DEFAULT_NAMESPACE, NAMESPACE_PARAMETER, NAMESPACE_SHAPE } from "../contract/namespace";

/**
 * The namespace under which Excel has the formulas, as the manifest says in the pane's address.
 *
 * @param search the page's query, e.g. "?namespace=ACME"
 */
export function readNamespace(search = globalThis.location?.search ?? ""): string {
  const given = new URLSearchParams(search).get(NAMESPACE_PARAMETER) ?? "";
  return NAMESPACE_SHAPE.test(given) ? given : DEFAULT_NAMESPACE;
}
