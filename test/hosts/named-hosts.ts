import { EXCEL_ON_THE_WEB } from "../../src/playground/hosts/excel-on-the-web";
import { LTSC_2021 } from "../../src/playground/hosts/ltsc-2021";
import type { HostProfile } from "../../src/playground/hosts/profile";
import { HOSTS } from "../../src/playground/hosts/profiles";

const toNamed = (host: HostProfile) => [host.name, host] as const;

/** For `describe.each`: the name, then the profile. */
export const NAMED_HOSTS = HOSTS.map(toNamed);

/** Two hosts that differ in whatever hosts differ in, for what every change is tested with. */
export const OPPOSITE_HOSTS = [EXCEL_ON_THE_WEB, LTSC_2021].map(toNamed);

export const OTHER_HOSTS = NAMED_HOSTS.filter(([, host]) => host !== EXCEL_ON_THE_WEB && host !== LTSC_2021);
