import type { NamedCompany } from "../../feed/resolutions";
import type { Session } from "../../session/session";
import { restartNamed } from "../name-company";
import type { ChosenCompany } from "../pane";
import { readStored, type StoredReview, store } from "./stored-review";

/** What a person decided on a name: its company, or that it has none. */
export type Decision = { kind: "company"; company: ChosenCompany } | { kind: "none" };

/** The workbook's decisions on names. */
export interface Decisions {
  /** The names that are being matched; null where none are. */
  review(): StoredReview | null;
  begin(review: StoredReview | null): void;
  find(named: NamedCompany): Decision | null;
  /** Decides on names; null takes their decisions back. */
  decide(decisions: readonly (readonly [NamedCompany, Decision | null])[]): void;
}

/** Decisions that follow one another are stored, and reach the formulas that match names, together. */
const TOGETHER_MS = 1_000;

/** The workbook stores as many names without a company; the oldest give way. */
const MOST_NONE = 5_000;

/**
 * Opens the decisions that the workbook holds. A company is stored as what the name means in formulas, too.
 *
 * @param onChange called after each change
 */
export function openDecisions({ feed, ports }: Pick<Session, "feed" | "ports">, onChange: () => void): Decisions {
  let { review, none } = readStored();
  const nobody = new Map(none.map((named) => [toKey(named), named]));
  let isDue = false;
  const settle = () => {
    isDue = false;
    none = [...nobody.values()].slice(-MOST_NONE);
    store({ review, none });
    feed.queryCache.renew(["matchNames"]);
  };
  const change = () => {
    onChange();
    if (isDue) return;
    isDue = true;
    ports.after(TOGETHER_MS, settle);
  };
  return {
    review: () => review,
    begin(begun) {
      review = begun;
      change();
    },
    find(named) {
      if (nobody.has(toKey(named))) return { kind: "none" };
      const known = feed.resolutions.find(named);
      return known && { kind: "company", company: { id: known.companyId, name: known.companyName } };
    },
    decide(decisions) {
      for (const [named, decision] of decisions) {
        nobody.delete(toKey(named));
        if (decision?.kind === "none") nobody.set(toKey(named), named);
        if (decision?.kind !== "company") feed.resolutions.forget(named);
        else {
          const { id: companyId, name: companyName } = decision.company;
          feed.resolutions.record({ name: named.name, country: named.country, companyId, companyName });
        }
      }
      restartNamed(
        feed,
        decisions.map(([named]) => named),
      );
      change();
    },
  };
}

const toKey = ({ name, country }: NamedCompany): string => `${country} ${name}`;
