import { count } from "../../taskpane/texts/quantities";
import { type Gravity, RULE_IDS, type RuleId } from "./finding";

/** Facts of a finding that its sentence names. */
export interface SentenceFacts {
  /** The cell, and the two that show it, each as a person writes it. */
  at: string;
  first: string;
  second: string;
  /** Numbers and codes, as they are shown. */
  values: Readonly<Record<string, string>>;
}

interface RuleTexts {
  title: string;
  sentence: (facts: SentenceFacts) => string;
}

/** What may mend statements that do not add up. */
const sameReport = "Refresh these cells; if that changes nothing, name one basis in all of them.";

const rules: Record<RuleId, RuleTexts> = {
  mixedCurrency: {
    title: "Currencies mixed",
    sentence: ({ at, first, second }) =>
      `${at} adds or compares amounts of different currencies, as ${first} and ${second}. Convert them first.`,
  },
  mixedUnit: {
    title: "Units mixed",
    sentence: ({ first, second }) =>
      `${first} and ${second} are in different units but are used as if they were in one. Give both formulas one unit.`,
  },
  mixedConsolidation: {
    title: "Consolidated beside non-consolidated",
    sentence: ({ first, second }) =>
      `${second} leaves out subsidiaries that ${first} includes, so the two cannot be compared. Name one basis in both.`,
  },
  yearEndsApart: {
    title: "Year-ends far apart",
    sentence: ({ first, second }) =>
      `The fiscal years of ${first} and ${second} have one number but end more than three months apart. Compare them with that in mind, or state it beside them.`,
  },
  latestYearDiffers: {
    title: "FY0 means different years",
    sentence: ({ first, second, values }) =>
      `${first} and ${second} both ask for the same latest year, but ${values.usual === undefined ? "it is another one for each" : `it is ${values.usual} and ${values.odd}`}. Enter a year that both have.`,
  },
  twoValues: {
    title: "One figure, two values",
    sentence: ({ first, second }) =>
      `${first} and ${second} ask for the same figure and show different values. One of them is old: refresh both.`,
  },
  grossProfit: {
    title: "Gross profit does not add up",
    sentence: ({ at, values }) =>
      `Revenue less cost of goods sold is ${values.expected}, but ${at} shows ${values.shown}. ${sameReport}`,
  },
  balanceSheet: {
    title: "Balance sheet does not balance",
    sentence: ({ at, values }) =>
      `The other lines of the balance sheet come to ${values.expected}, but ${at} shows total assets of ${values.shown}. ${sameReport}`,
  },
  cashFlow: {
    title: "Cash does not follow its flows",
    sentence: ({ at, values }) =>
      `The three cash flows come to ${values.expected}, but cash in ${at} has moved by ${values.shown}. ${sameReport}`,
  },
  typedNumber: {
    title: "Typed number among FEED formulas",
    sentence: ({ at, first }) =>
      `${at} holds a typed number, while the cells around it, as ${first}, hold a formula. No refresh changes it: copy theirs, or dismiss this with the reason.`,
  },
  leftOut: {
    title: "Total leaves a figure out",
    sentence: ({ at, second }) =>
      `The total in ${at} ends just before ${second}, which belongs to the same list. Include it, or dismiss this with the reason.`,
  },
  staleBesideFresh: {
    title: "Stale beside fresh",
    sentence: ({ first, second }) =>
      `${second} is older than your settings allow, and ${first} is not. Refresh stale values before you compare them.`,
  },
};

const findings = (number: number) => count(number, "finding");

const gravities: Record<Gravity, string> = { error: "Error", warning: "Warning", note: "Note" };

const en = {
  again: "Check again",
  cancel: "Cancel",
  reading: "Reading the workbook…",
  progress: (done: number, all: number) => `Checking: ${done} of ${all} rules…`,
  cancelled: "Cancelled. Nothing was changed.",
  noFormulas: "This workbook has no FEED figures to check. Add a FEED formula first.",
  clean: (formulas: number, figures: number) =>
    `Nothing found: ${count(formulas, "formula")} and ${count(figures, "FEED figure")} checked by ${RULE_IDS.length} rules.`,
  allDismissed: "All findings are dismissed; they stand below with their reasons.",
  found: (number: number, formulas: number, figures: number) =>
    `${findings(number)} in ${count(formulas, "formula")} and ${count(figures, "FEED figure")}.`,
  unknown: (number: number) => `${count(number, "FEED cell")} could not be told: they are not calculated yet.`,
  unchecked: (number: number) =>
    `${count(number, "formula")} could not be checked: the check cannot read them. Look at them yourself.`,
  rules,
  gravities,
  filters: { rule: "Rule", sheet: "Sheet", gravity: "Gravity" },
  noMatch: "No finding fits. Choose the first entry of each filter to see all.",
  list: "Findings",
  cells: (number: number) => `${number.toLocaleString("en")} cells`,
  refresh: "Refresh",
  dismiss: "Dismiss",
  reason: "Why is it right as it is?",
  keep: "Dismiss with this reason",
  back: "Back",
  dismissed: (number: number) => `Dismissed (${number.toLocaleString("en")})`,
  noReason: "No reason given",
  restore: "Show again",
  report: "Insert as sheet",
  inserted: (sheet: string) => `Created "${sheet}" with all findings.`,
  hidden: (sheet: string) => `The sheet "${sheet}" cannot be shown. Unhide it, then try again.`,
  goTo: (place: string) => `Go to ${place}`,
  typed: (number: string) => `typed: ${number}`,
  sheet: {
    name: "Model check",
    title: "Check of the model",
    headings: ["Gravity", "Rule", "Sheet", "Cell", "Cells", "What", "Evidence", "Evidence", "Dismissed because"],
  },
};

export type CheckTexts = typeof en;

export const checkEnglish: CheckTexts = en;
