/**
 * The hosts whose pages may frame the pane: Excel on the web nests it in pages of several of them, and the policy must
 * allow each. A wildcard is as wide as its source, but for live.com, whose hosts for persons Microsoft does not list.
 *
 * "ID" is a row of Microsoft's endpoint lists ("Microsoft 365 URLs and IP address ranges" and its pages for each cloud),
 * "Tabs" the frame ancestors of "Prerequisites" for Teams tabs. They were read in the sources of Microsoft Learn, of
 * these versions: worldwide 2022-07-28, its ID 184 2025-04-02, GCC High 2023-03-01, DoD 2023-07-31, 21Vianet 2023-06-29.
 *
 * | cloud | host | source |
 * |---|---|---|
 * | worldwide, GCC | *.cloud.microsoft | ID 184, Tabs: among them excel. and teams.cloud.microsoft |
 * | | *.live.com | ID 46 *.officeapps.live.com and office.live.com; office-js 3342 onedrive.live.com |
 * | | *.microsoft365.com, *.office.com | Tabs |
 * | | *.office365.com | ID 71 |
 * | | *.sharepoint.com | ID 31: a host for each tenant |
 * | | teams.microsoft.com, *.teams.microsoft.com | ID 12, Tabs |
 * | US government | *.office365.us | GCC High ID 23, DoD ID 12: among them *.gov.online and *.dod.online.office365.us |
 * | GCC High | *.sharepoint.us | ID 9 |
 * | | gov.teams.microsoft.us, *.gov.teams.microsoft.us | ID 31 |
 * | DoD | *.dps.mil, *.sharepoint-mil.us | ID 9 |
 * | | od.apps.mil, *.od.apps.mil | ID 19 |
 * | | dod.teams.microsoft.us, *.dod.teams.microsoft.us | ID 7 |
 * | China, by 21Vianet | *.sharepoint.cn | ID 4 |
 * | | *.partner.officewebapps.cn | ID 7 |
 * | | *.teams.microsoftonline.cn | ID 19 |
 */
export const OFFICE_HOSTS: readonly string[] = [
  "*.cloud.microsoft",
  "*.live.com",
  "*.microsoft365.com",
  "*.office.com",
  "*.office365.com",
  "*.sharepoint.com",
  "teams.microsoft.com",
  "*.teams.microsoft.com",
  "*.office365.us",
  "*.sharepoint.us",
  "gov.teams.microsoft.us",
  "*.gov.teams.microsoft.us",
  "*.dps.mil",
  "*.sharepoint-mil.us",
  "od.apps.mil",
  "*.od.apps.mil",
  "dod.teams.microsoft.us",
  "*.dod.teams.microsoft.us",
  "*.sharepoint.cn",
  "*.partner.officewebapps.cn",
  "*.teams.microsoftonline.cn",
];
