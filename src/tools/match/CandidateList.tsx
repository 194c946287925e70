import { Caption1, makeStyles, tokens } from "@fluentui/react-components";
import { useId } from "react";
import { Options, toOptionId, useOptionKeys } from "../../taskpane/Options";
import type { ChosenCompany } from "../../taskpane/pane";
import { CompanyRow } from "../../taskpane/picker/CompanyRow";
import { type Candidate, type Item, listOthers } from "./queue";
import { useMatchTexts } from "./use-match-texts";
import type { Review } from "./use-review";

const useStyles = makeStyles({
  list: { outlineStyle: "none", margin: `0 calc(-1 * ${tokens.spacingHorizontalS})` }, // its active option has the ring
  candidate: { display: "flex", columnGap: tokens.spacingHorizontalS },
  number: { color: tokens.colorNeutralForeground3, fontVariantNumeric: "tabular-nums" },
  company: { minWidth: 0 },
  facts: { color: tokens.colorNeutralForeground3 },
  same: { color: tokens.colorStatusWarningForeground2 },
});

interface CandidateListProps {
  review: Review;
  item: Item;
  choose: (company: ChosenCompany) => void;
  /** Id of the element with the name. */
  labelledBy: string;
}

/** The companies that a name may mean, numbered; Enter takes the active one, which is the first until a key moves. */
export function CandidateList({ review: { sames }, item, choose, labelledBy }: CandidateListProps) {
  const styles = useStyles();
  const id = useId();
  const { text, candidates, decision } = item;
  const take = (place: number) => choose(candidates[place] as Candidate);
  const { active, press } = useOptionKeys({ count: candidates.length, first: 0, take });
  return (
    <Options
      id={id}
      aria-labelledby={labelledBy}
      aria-activedescendant={toOptionId(id, active)}
      tabIndex={0}
      className={styles.list}
      offers={candidates.map((candidate, place) => ({
        value: candidate.id,
        label: (
          <div className={styles.candidate}>
            <span className={styles.number}>{place + 1}</span>
            <div className={styles.company}>
              <CompanyRow company={candidate} query={text} />
              <Facts candidate={candidate} others={listOthers(sames, candidate.id, text)} />
            </div>
          </div>
        ),
      }))}
      active={active}
      chosen={decision?.kind === "company" ? decision.company.id : undefined}
      choose={take}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !event.repeat) press(event); // a key that is held decides once
      }}
    />
  );
}

/** What else speaks for a candidate, and the other names that have it already. */
function Facts({ candidate: { industry, evidence, score }, others }: { candidate: Candidate; others: string[] }) {
  const styles = useStyles();
  const ofMatch = useMatchTexts();
  const facts = [
    ...(industry === null ? [] : [industry]),
    ...evidence.map((each) => ofMatch.evidence[each]),
    ofMatch.score(score),
  ];
  return (
    <>
      <Caption1 block className={styles.facts}>
        {facts.join(" · ")}
      </Caption1>
      {others.length > 0 && (
        <Caption1 block className={styles.same}>
          {ofMatch.sameAs(others.join(", "))}
        </Caption1>
      )}
    </>
  );
}
