import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Machine } from "../machine";
import { readDeployment, readId } from "../manifest";
import { hasText, toFileChange, writeFile } from "./files";
import type { Change, ChangeRecord } from "./record";
import { readKey, readTextValue, setTextValue, toRegistryChange } from "./registry";

/** Office reads here which manifests a person's own add-ins have, by their ids. */
const DEVELOPER_KEY = "HKEY_CURRENT_USER\\Software\\Microsoft\\Office\\16.0\\WEF\\Developer";
/** Excel for Mac reads each manifest in this folder of its container. */
const MAC_DOCUMENTS = ["Library", "Containers", "com.microsoft.Excel", "Data", "Documents"];
const MAC_FOLDER = "wef";

/** What Excel on this computer knows of the add-in. */
export interface Registration {
  /** The manifest's path that Excel has; undefined where it knows none. */
  path?: string;
  /** The origin of that manifest's pages; undefined where the file is missing. */
  origin?: string;
}

/** Gives the manifest's path on this computer. */
export function toManifestPath({ platform, home, folder }: Machine, id: string): string {
  if (platform === "darwin") return join(home, ...MAC_DOCUMENTS, MAC_FOLDER, `${id}.manifest.xml`);
  return join(folder, "manifest.xml");
}

/**
 * Writes the manifest, and has Excel know it; on Linux, which has no Excel, it is only written.
 * @param takeBack Takes a recorded change back.
 * @throws Error with the cure
 */
export async function registerManifest(
  manifest: string,
  machine: Machine,
  record: ChangeRecord,
  takeBack: (change: Change) => Promise<void>,
): Promise<void> {
  const id = readId(manifest);
  const path = toManifestPath(machine, id);
  if (machine.platform === "darwin") refuseWithoutExcel(path);
  const changes = await record.list();
  for (const change of changes.filter((each) => isOfOther(each, id, path))) await takeBack(change);
  if (!hasText(path, manifest)) {
    if (!changes.some((change) => change.kind === "file" && change.path === path)) await record.add(toFileChange(path));
    writeFile(path, manifest);
  }
  if (machine.platform === "win32") await registerPath(id, path, machine, record);
}

/** A container that Excel has not made itself would be none. */
function refuseWithoutExcel(path: string): void {
  if (existsSync(dirname(dirname(path)))) return;
  throw new Error("Excel has not run for this user yet. Start Excel once, then install again.");
}

/** Whether a change registered the add-in of another address, such as of a former port. */
function isOfOther(change: Change, id: string, path: string): boolean {
  if (change.kind === "registry") return change.name !== id;
  return (
    change.kind === "file" &&
    change.path !== path &&
    dirname(change.path) === join(dirname(path)) &&
    isManifest(change.path)
  );
}

const isManifest = (path: string): boolean => path.endsWith(".manifest.xml");

async function registerPath(id: string, path: string, machine: Machine, record: ChangeRecord): Promise<void> {
  if ((await findRegistration(id, machine)).path === path) return;
  const isRecorded = (await record.list()).some(({ kind }) => kind === "registry");
  if (!isRecorded) await record.add(await toRegistryChange(DEVELOPER_KEY, id, machine));
  await setTextValue(DEVELOPER_KEY, id, path, machine);
}

/** Finds what Excel on this computer knows of an add-in. */
export async function findRegistration(id: string, machine: Machine): Promise<Registration> {
  const path = await findPath(id, machine);
  if (path === undefined) return {};
  return existsSync(path) ? { path, origin: readDeployment(readFileSync(path, "utf8")).origin } : { path };
}

async function findPath(id: string, machine: Machine): Promise<string | undefined> {
  if (machine.platform === "win32") return readTextValue((await readKey(DEVELOPER_KEY, machine))?.values.get(id));
  const path = toManifestPath(machine, id);
  return existsSync(path) ? path : undefined;
}
