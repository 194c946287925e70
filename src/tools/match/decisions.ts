import type { NamedCompany } from "../../feed/resolutions";
import type { Session } from "../../session/session";
import type { ReadSheet } from "../../taskpane/cell-journal";
import { readStored, tryToStore } from "../../taskpane/file-store";
import { decideNames } from "../../taskpane/named-companies";
import type { ChosenCompany } from "../../taskpane/pane";

/** What a person decided on a name: its company, or that it has none. */
export type Decision = { kind: "company"; company: ChosenCompany } | { kind: "none" };

/** Decisions that follow one another reach the formulas that match names together. */
const TOGETHER_MS = 1_000;

/**
 * Opens the decisions that the workbook holds. Each is stored as what the name means in formulas, too.
 *
 * @param onChange called after each change
 */
export function openDecisions({ feed, ports }: Pick<Session, "feed" | "ports">, onChange: () => void) {
  let review = readReview();
  let isDue = false;
  const settle = () => {
    isDue = false;
    feed.queryCache.renew(["matchNames"]);
  };
  const change = () => {
    onChange();
    storeReview(review);
    if (isDue) return;
    isDue = true;
    ports.after(TOGETHER_MS, settle);
  };
  return {
    /** The names that are being matched; null where none are. */
    review: () => review,
    begin(begun: StoredReview) {
      review = begun;
      change();
    },
    find(named: NamedCompany): Decision | null {
      const known = feed.resolutions.find(named);
      if (known?.companyId === "") return { kind: "none" };
      return known && { kind: "company", company: { id: known.companyId, name: known.companyName } };
    },
    /** Decides on names; null takes their decisions back. */
    decide(decisions: readonly (readonly [NamedCompany, Decision | null])[]) {
      const toCompany = (decision: Decision) => (decision.kind === "none" ? NOBODY : decision.company);
      decideNames(
        feed,
        decisions.map(([named, decision]) => [named, decision && toCompany(decision)]),
      );
      change();
    },
  };
}

const NOBODY: ChosenCompany = { id: "", name: "" };

/** The cells whose names are being matched. */
export interface StoredReview extends ReadSheet {
  /** As of the last reading, such as "A2:C51". */
  address: string;
  /** Where the names are looked up: an ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
}

/** One name for all of it, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-match";

/** Reads the review that the workbook stores; an invalid one is ignored. */
function readReview(): StoredReview | null {
  const { review }: { review?: unknown } = Object(readStored(STORED_AS));
  return isReview(review) ? review : null;
}

/** Stores the review in the workbook; without storage, the names are selected again the next time. */
const storeReview = (review: StoredReview | null): void => void tryToStore([STORED_AS, () => ({ review })]);

const isReview = (value: unknown): value is StoredReview => {
  const { sheet, address, country } = Object(value) as Partial<StoredReview>;
  return [sheet, address, country].every((each) => typeof each === "string") && CELLS.test(address ?? "");
};

const CELLS = /^[A-Z]+\d+(:[A-Z]+\d+)?$/;
