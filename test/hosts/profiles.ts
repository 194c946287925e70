/** A property of a host, with its source; one that nobody has documented is assumed. */
export type Fact<Value> = { value: Value } & (
  | {
      /** The document's title, or the issue of OfficeDev/office-js unless another repository is named. */
      source: string;
      /** ISO date of the document or comment; of our reading where the document has none. */
      date: string;
    }
  | {
      /** The reason for the assumption. */
      assumed: string;
    }
);

/** The reported versions, by lower-case name; an absent set is not supported. */
type RequirementSets = Readonly<Record<string, string>>;

/** One kind of Excel, as far as it concerns functions and the pane. */
export interface HostProfile {
  name: string;
  requirementSets: Fact<RequirementSets>;
  /** Whether a function's result may be a data type: CustomFunctionsRuntime 1.4. */
  hasDataTypes: Fact<boolean>;
  /** How a referenced blank cell arrives. */
  blankCell: Fact<0 | null>;
  /** Whether equal formulas share one stream. */
  sharesEqualStreams: Fact<boolean>;
  /** Whether a stream learns its cell's address. */
  givesAddress: Fact<boolean>;
  /** What an array shows that holds an error. */
  errorInArray: Fact<"each in its cell" | "#VALUE! alone">;
  /** Whether functions.json with allowErrorForDataTypeAny beside allowCustomDataForDataTypeAny crashes it. */
  crashesWithBothFlags: Fact<boolean>;
  /** Whether a page's storage is separate for each top-level site. */
  partitionsStorage: Fact<boolean>;
  /** Usual width of the pane, in CSS pixels. */
  paneWidth: Fact<number>;
}

const known = <Value>(value: Value, source: string, date: string): Fact<Value> => ({ value, source, date });

const assumed = <Value>(value: Value, reason: string): Fact<Value> => ({ value, assumed: reason });

/** Facts of every host. */
const EVERYWHERE = {
  sharesEqualStreams: known(true, "Receive and handle data with custom functions (note on stream reuse)", "2026-03-17"),
} as const;

/** Titles of documents that several profiles cite. */
const DOCUMENTS = {
  sets: "Excel JavaScript API, Custom Functions, Shared runtime and Keyboard Shortcuts requirement sets",
  functionSets: "Custom Functions requirement sets",
  pane: "Office.TaskPane interface",
  storage: "Office.Context interface (partitionKey)",
} as const;

const MICROSOFT_365_WINDOWS: HostProfile = {
  ...EVERYWHERE,
  name: "Microsoft 365 on Windows, current channel",
  // From Version 2509 (Build 19201.20002) on.
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.5", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(true, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: known(0, "issue 4702", "2024-07-21"),
  givesAddress: known(true, "issue 6499 (supported, and reported missing in the same thread)", "2026-02-18"),
  errorInArray: known("each in its cell", "issue 2174 (retested in a shared runtime)", "2026-06-16"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};

const MICROSOFT_365_MAC: HostProfile = {
  ...EVERYWHERE,
  name: "Microsoft 365 on Mac",
  // From Version 16.100 (25081015) on.
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.5", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(true, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: assumed(0, "issue 4702 compares the web with a Windows desktop"),
  givesAddress: assumed(false, "issue 6499 names no Mac; nothing here needs an address"),
  errorInArray: assumed("each in its cell", "issue 2174 names Windows"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: assumed(false, "issue 3159 reports a store for each application, none for each site"),
  paneWidth: known(270, DOCUMENTS.pane, "2026-11-23"),
};

const EXCEL_ON_THE_WEB: HostProfile = {
  ...EVERYWHERE, // yet the first n - 1 streams may be called twice: issue 3011, 2022-12-01
  name: "Excel on the web",
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.5", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(true, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: known(null, "issue 4702", "2024-07-21"),
  givesAddress: assumed(false, "issue 6499 does not say where addresses are missing; nothing here needs one"),
  errorInArray: assumed("each in its cell", "issue 2174 names Windows"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(true, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(350, DOCUMENTS.pane, "2026-11-23"),
};

const RETAIL: HostProfile = {
  ...EVERYWHERE,
  name: "Excel 2021 or 2024, retail",
  // It reports Excel's sets as Microsoft 365 of the same build does, but not those of functions (issues 3504 and 4750).
  requirementSets: known(
    { excelapi: "1.20", customfunctionsruntime: "1.3", sharedruntime: "1.2", keyboardshortcuts: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(false, "issues 3504, 4750 and 5573", "2025-04-22"),
  blankCell: assumed(0, "as Microsoft 365 on Windows"),
  givesAddress: assumed(false, "retail lags behind in functions; nothing here needs an address"),
  errorInArray: assumed("each in its cell", "as Microsoft 365 on Windows of the same build"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};

const LTSC_2024: HostProfile = {
  ...EVERYWHERE,
  name: "Excel LTSC 2024",
  requirementSets: known(
    { excelapi: "1.17", customfunctionsruntime: "1.3", sharedruntime: "1.2" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(false, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: assumed(0, "as Microsoft 365 on Windows"),
  givesAddress: assumed(false, "older than the tag for addresses of streams (Office-Addin-Scripts pull request 911)"),
  errorInArray: assumed("each in its cell", "newer than the builds of issue 2174"),
  crashesWithBothFlags: assumed(false, "issue 4385 reports LTSC 2021 alone"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};

const LTSC_2021: HostProfile = {
  ...EVERYWHERE,
  name: "Excel LTSC 2021",
  requirementSets: known(
    { excelapi: "1.14", customfunctionsruntime: "1.3", sharedruntime: "1.1" },
    DOCUMENTS.sets,
    "2025-09-12",
  ),
  hasDataTypes: known(false, DOCUMENTS.functionSets, "2026-11-23"),
  blankCell: assumed(0, "as Microsoft 365 on Windows"),
  givesAddress: assumed(false, "older than the tag for addresses of streams (Office-Addin-Scripts pull request 911)"),
  errorInArray: assumed("#VALUE! alone", "Version 2108; issue 2174 reports it of Version 2109, 2021-10-13"),
  crashesWithBothFlags: known(true, "issue 4385 (Microsoft reproduced it)", "2024-05-07"),
  partitionsStorage: known(false, DOCUMENTS.storage, "2026-11-23"),
  paneWidth: known(320, DOCUMENTS.pane, "2026-11-23"),
};

const HOSTS: readonly HostProfile[] = [
  MICROSOFT_365_WINDOWS,
  MICROSOFT_365_MAC,
  EXCEL_ON_THE_WEB,
  RETAIL,
  LTSC_2024,
  LTSC_2021,
];

const toNamed = (host: HostProfile) => [host.name, host] as const;

/** For `describe.each`: the name, then the profile. */
export const NAMED_HOSTS = HOSTS.map(toNamed);

/** Two hosts that differ in whatever hosts differ in, for what every change is tested with. */
export const OPPOSITE_HOSTS = [EXCEL_ON_THE_WEB, LTSC_2021].map(toNamed);

export const OTHER_HOSTS = NAMED_HOSTS.filter(([, host]) => host !== EXCEL_ON_THE_WEB && host !== LTSC_2021);
