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

export type Platform = "PC" | "Mac" | "OfficeOnline";

/** One kind of Excel, as far as it concerns functions and the pane. */
export interface HostProfile {
  name: string;
  /** Its name in the playground's address: `?host=ltsc2021`. */
  id: string;
  /** A member of Office.PlatformType. */
  platform: Platform;
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

export const known = <Value>(value: Value, source: string, date: string): Fact<Value> => ({ value, source, date });

export const assumed = <Value>(value: Value, reason: string): Fact<Value> => ({ value, assumed: reason });

/** Facts of every host. */
export const EVERYWHERE = {
  sharesEqualStreams: known(true, "Receive and handle data with custom functions (note on stream reuse)", "2026-03-17"),
} as const;

/** Titles of documents that several profiles cite. */
export const DOCUMENTS = {
  sets: "Excel JavaScript API, Custom Functions, Shared runtime and Keyboard Shortcuts requirement sets",
  functionSets: "Custom Functions requirement sets",
  pane: "Office.TaskPane interface",
  storage: "Office.Context interface (partitionKey)",
} as const;
