import type { BlankCells } from "./arguments";
import type { HostProfile, Platform } from "./hosts/profile";
import { HOSTS } from "./hosts/profiles";
import { EVERY_RESULT, type ResultRules } from "./results";

/** The Excel that the playground plays. */
export interface Host {
  /** Default none: an Excel as capable as the spreadsheet engine. */
  name?: string;
  platform: Platform;
  /** Versions of requirement sets, by lower-case name. */
  requirementSets: Readonly<Record<string, string>>;
  blankCells: BlankCells;
  /** Whether functions learn the address of their cell. */
  givesAddress: boolean;
  results: ResultRules;
  /** Whether Office names a partition of the browser's storage. */
  partitionsStorage: boolean;
  /** In CSS pixels. */
  paneWidth: number;
}

/** Functions open pages in every host, as the browser does here. */
const BROWSER_SETS = { openbrowserwindowapi: "1.1" };

/** The engine shows numbers with formats (ExcelApi 1.16), but not with properties (1.19). */
export const ANY_HOST: Host = {
  platform: "PC",
  requirementSets: { ...BROWSER_SETS, excelapi: "1.16", customfunctionsruntime: "1.4", sharedruntime: "1.1" },
  blankCells: "zero",
  givesAddress: true,
  results: EVERY_RESULT,
  partitionsStorage: false,
  paneWidth: 360,
};

/** The names of hosts in the page's address. */
export const HOST_IDS = HOSTS.map(({ id }) => id);

/** Picks the host that `?host=` names; null where there is no such host. */
export function pickHost(query: string): Host | null {
  const wanted = new URLSearchParams(query).get("host");
  if (wanted === null) return ANY_HOST;
  const profile = HOSTS.find(({ id }) => id === wanted.toLowerCase());
  return profile ? toHost(profile) : null;
}

function toHost(profile: HostProfile): Host {
  return {
    name: profile.name,
    platform: profile.platform,
    requirementSets: { ...BROWSER_SETS, ...profile.requirementSets.value },
    blankCells: profile.blankCell.value === null ? "null" : "zero",
    givesAddress: profile.givesAddress.value,
    results: {
      hasDataTypes: profile.hasDataTypes.value,
      hasErrorsInArrays: profile.errorInArray.value === "each in its cell",
    },
    partitionsStorage: profile.partitionsStorage.value,
    paneWidth: profile.paneWidth.value,
  };
}
