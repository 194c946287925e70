import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import pkg from "../../../../package.json";
import { type Finding, fail, pass } from "../findings";
import { runOnPairings } from "../open-stores";
import { findFolder, type Surroundings } from "../surroundings";

/** Checks the version of Node against what this program needs. */
export function checkNode(version: string): Finding {
  const least = pkg.engines.node.replace(/^\D+/, "");
  if (compareVersions(version, least) >= 0) return pass(`Node ${version}.`);
  return fail(`Node ${version} is too old. Install Node ${least} or newer, from https://nodejs.org.`);
}

function compareVersions(one: string, other: string): number {
  const [ours = [], theirs = []] = [one, other].map((version) => version.split(".").map(Number));
  return (ours[0] ?? 0) - (theirs[0] ?? 0) || (ours[1] ?? 0) - (theirs[1] ?? 0);
}

/** Checks that the person's folder can be written, and that the pairings, or the shared store, can be read. */
export async function checkStorage(options: { settings?: string }, surroundings: Surroundings): Promise<Finding[]> {
  const folder = dirname(findFolder(surroundings).settings);
  const place = findPlace(folder);
  if (!isWritable(place)) return [fail(`${place} cannot be written. Give your user the right to write there.`)];
  await runOnPairings(options, surroundings, async (pairings) => {
    await pairings.list();
  });
  return [pass(`Settings and pairings are kept in ${folder}.`)];
}

/** Finds the folder, or the first thing above it that is there. */
const findPlace = (path: string): string => (existsSync(path) ? path : findPlace(dirname(path)));

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
