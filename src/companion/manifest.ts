import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_NAMESPACE, NAMESPACE_PARAMETER } from "../contract/namespace";
import { BUILD_ADVICE } from "./program";

/** The properties of a deployment. */
export interface Deployment {
  /** Where the companion serves the pages, e.g. "https://feed.example.com". */
  origin: string;
  /** The prefix of the formulas' names, e.g. "ACME", which also names the add-in. */
  namespace: string;
}

/** The default deployment; existing installations have this id. */
const FIRST = {
  origin: "https://localhost:3000",
  namespace: DEFAULT_NAMESPACE,
  id: "e5e98938-6bbc-4356-824e-1329b3cfb00d",
};

/** Derives a deployment's manifest from the built one, whichever that is for. */
export function toManifest(built: string, deployment: Deployment): string {
  const { origin, namespace } = readDeployment(built);
  const word = new RegExp(`(?<=Value="[^"]*|<ProviderName>[^<]*)\\b${namespace}\\b`, "g");
  const query = deployment.namespace === DEFAULT_NAMESPACE ? "" : `?${NAMESPACE_PARAMETER}=${deployment.namespace}`;
  return built
    .replace(/(?<=\/taskpane\.html)\?namespace=\w+/g, "")
    .replaceAll(origin, deployment.origin)
    .replace(word, deployment.namespace)
    .replace(/(?<=\/taskpane\.html)/g, query)
    .replace(/(?<=<Id>)[^<]+/, toId(deployment));
}

/**
 * Reads what a built manifest is for.
 * @throws Error when the text is no manifest of this add-in
 */
export function readDeployment(built: string): Deployment {
  const address = /<SourceLocation DefaultValue="([^"]+)"/.exec(built)?.[1];
  const namespace = /<bt:String id="Functions.Namespace" DefaultValue="([^"]+)"/.exec(built)?.[1];
  if (address === undefined || namespace === undefined) throw new Error("The built manifest cannot be read.");
  return { origin: new URL(address).origin, namespace };
}

/** Gives an id per deployment, so that two can stand side by side (UUID version 5). */
function toId({ origin, namespace }: Deployment): string {
  if (origin === FIRST.origin && namespace === FIRST.namespace) return FIRST.id;
  const bytes = createHash("sha1")
    .update(Buffer.from(FIRST.id.replaceAll("-", ""), "hex"))
    .update(`${origin} ${namespace}`)
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Makes the manifest for the companion of this computer at a port. */
export const toOwnManifest = (webFolder: string, port: number): string =>
  toManifest(readBuiltManifest(webFolder), { origin: `https://localhost:${port}`, namespace: DEFAULT_NAMESPACE });

/** Gives the id of the add-in that a manifest installs. */
export const readId = (manifest: string): string => /<Id>([^<]+)/.exec(manifest)?.[1] ?? "";

/**
 * Reads the manifest that was built with the pages.
 * @throws Error when there is none
 */
export function readBuiltManifest(webFolder: string): string {
  const path = join(webFolder, "manifest.xml");
  if (!existsSync(path)) throw new Error(`The add-in is not built. ${BUILD_ADVICE}`);
  return readFileSync(path, "utf8");
}
