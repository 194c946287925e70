import { EXCEL_ON_THE_WEB } from "./excel-on-the-web";
import { LTSC_2021 } from "./ltsc-2021";
import { LTSC_2024 } from "./ltsc-2024";
import { MICROSOFT_365_MAC } from "./microsoft-365-mac";
import { MICROSOFT_365_WINDOWS } from "./microsoft-365-windows";
import type { HostProfile } from "./profile";
import { RETAIL } from "./retail";

/** Every host that the tests and the playground play. */
export const HOSTS: readonly HostProfile[] = [
  MICROSOFT_365_WINDOWS,
  MICROSOFT_365_MAC,
  EXCEL_ON_THE_WEB,
  RETAIL,
  LTSC_2024,
  LTSC_2021,
];
