/** As the companion's command `manifest` takes it. */
const NAMESPACE = /^[A-Z][A-Z0-9]{1,19}$/;

/**
 * The namespace that Excel has the formulas under, FEED unless the manifest says another one in the pane's address:
 * the page is the same for every namespace.
 *
 * @param search the page's query, e.g. "?namespace=ACME"
 */
export function readNamespace(search = globalThis.location?.search ?? ""): string {
  const given = new URLSearchParams(search).get("namespace") ?? "";
  return NAMESPACE.test(given) ? given : "FEED";
}
