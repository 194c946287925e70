import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Machine, runTool } from "../machine";
import { readDeployment, readId } from "../manifest";
import { type Change, type ChangeRecord, hasText, toFileChange, writeFile } from "./record";
import { hasRegistryTools, readKey, readTextValue, setTextValue, toRegistryChange } from "./registry";

/** Office reads here which manifests a person's own add-ins have, by their ids. */
const DEVELOPER_KEY = "HKEY_CURRENT_USER\\Software\\Microsoft\\Office\\16.0\\WEF\\Developer";
/** Excel for Mac reads each manifest in this folder of its container. */
const MAC_DOCUMENTS = ["Library", "Containers", "com.microsoft.Excel", "Data", "Documents"];
const MAC_FOLDER = "wef";

/** What Excel on this computer knows of the add-in. */
interface Registration {
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

/** Where Office on Windows reads policies of add-ins: a domain's, and those of Microsoft's cloud policy service. */
const WINDOWS_KEYS = [
  "HKEY_CURRENT_USER\\Software\\Policies\\Microsoft\\Office\\16.0\\WEF\\TrustedCatalogs",
  "HKEY_LOCAL_MACHINE\\Software\\Policies\\Microsoft\\Office\\16.0\\WEF\\TrustedCatalogs",
  "HKEY_CURRENT_USER\\Software\\Policies\\Microsoft\\Cloud\\Office\\16.0\\WEF\\TrustedCatalogs",
];
const WINDOWS_POLICY = "DisableAllCatalogs";
const MAC_POLICY = ["com.microsoft.office", "OfficeWebAddinDisableAllCatalogs"];
const ASK = "Ask your administrator to allow it, or to deploy the add-in for you.";

/**
 * Finds policies by which an administrator forbids this kind of add-in.
 * @returns A sentence for each, with the cure; none on Linux.
 */
export async function findPolicies(machine: Machine): Promise<string[]> {
  if (machine.platform === "win32") return findWindowsPolicies(machine);
  if (machine.platform !== "darwin") return [];
  const [domain = "", name = ""] = MAC_POLICY;
  const result = await runTool("defaults", ["read", domain, name], machine);
  return result?.code === 0 && result.output.trim() === "1" ? [toBlocked(name)] : [];
}

async function findWindowsPolicies(machine: Machine): Promise<string[]> {
  if (!(await hasRegistryTools(machine))) {
    return [
      `A policy keeps you from the registry's tools (DisableRegistryTools), by which the add-in is registered. ${ASK}`,
    ];
  }
  for (const key of WINDOWS_KEYS) {
    const values = (await readKey(key, machine))?.values ?? new Map<string, string>();
    const names = [...values.keys()].filter((name) => name.toLowerCase() === WINDOWS_POLICY.toLowerCase());
    if (names.some((name) => values.get(name) === "dword:00000001")) return [toBlocked(WINDOWS_POLICY)];
  }
  return [];
}

const toBlocked = (name: string): string => `A policy blocks web add-ins in Office (${name}). ${ASK}`;
