import type { OPERATIONS } from "../../contract/constants";
import contract from "../../contract/generated/openapi.json";
import { Refusal } from "../refusal";

export type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];

type Ids = Record<string, string | undefined>;
type Parameter = { $ref?: string; in?: string; name?: string };

const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/**
 * Builds the provider's address of an operation.
 * @param path With its parameters in braces, e.g. "/tree" or "/companies/{companyId}".
 * @param ids The parameters' values, decoded.
 * @throws Refusal (FEED_REQUEST_INVALID) when a value is not a plain id, or the address is not the expected one.
 */
export function toProviderUrl(baseUrl: string, path: string, ids: Ids): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const id = ids[name] ?? "";
    if (!PLAIN_ID.test(id)) throw refuse(`${name} is not an id: letters, digits and - . _ ~ only.`);
    return id;
  });
  const expected = baseUrl + filled;
  if (new URL(expected).href !== expected) throw refuse("The path is not one of the API.");
  return expected;
}

/**
 * Creates the check of an operation's query: only its own parameters pass, each at most once. A server may act on
 * others, such as `_method=DELETE` or `access_token=…`.
 * @returns A function from the requested URL to its query, "?" included, written anew.
 * @throws (when called) Refusal (FEED_REQUEST_INVALID)
 */
export function createQueryCheck({ method, path }: Operation): (url: string) => string {
  const names = listQueryNames(method, path);
  return (url) => {
    const at = url.indexOf("?");
    if (at < 0) return "";
    const query = new URLSearchParams(url.slice(at));
    const given = [...query.keys()];
    if (given.some((name) => !names.includes(name)) || new Set(given).size < given.length) {
      const known = names.length === 0 ? "none" : `each of these once at most: ${names.join(", ")}`;
      throw refuse(`The API takes other query parameters there: ${known}.`);
    }
    return given.length === 0 ? "" : `?${query}`;
  };
}

function listQueryNames(method: string, path: string): string[] {
  const operations: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>> = contract.paths;
  const shared: Record<string, Parameter> = contract.components.parameters;
  const parameters = operations[path]?.[method.toLowerCase()]?.parameters ?? [];
  return parameters
    .map((parameter) => shared[parameter.$ref?.replace(/^.*\//, "") ?? ""] ?? parameter)
    .flatMap((parameter) => (parameter.in === "query" && parameter.name !== undefined ? [parameter.name] : []));
}

const refuse = (sentence: string) => new Refusal(400, sentence, "FEED_REQUEST_INVALID");
