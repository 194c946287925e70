import type { Machine } from "../machine";
import { runTool } from "../system-tool";
import { hasRegistryTools, readKey } from "./registry";

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
