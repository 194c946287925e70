import { Body1, Button, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useMemo } from "react";
import { Fold } from "../../taskpane/Fold";
import { Heading, Hint } from "../../taskpane/layout";
import { Reason } from "../../taskpane/Reason";
import { AgreementMap } from "./AgreementMap";
import { type ComparedCell, type Comparison, compareCells, isAgreeing, toPartPlace } from "./comparison";
import { Differences } from "./Differences";
import { ProposalLine } from "./ProposalLine";
import type { Hypothesis } from "./proposals";
import { type Phase, useAdoptTexts } from "./use-comparison";

const useStyles = makeStyles({
  section: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalS },
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  lost: { margin: 0, paddingInlineStart: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
});

interface ComparedProps {
  phase: Extract<Phase, { step: "compared" | "replacing" | "replaced" }>;
  choose: (line: number, hypothesis: Hypothesis | null) => void;
  replace: (compared: readonly ComparedCell[], place: string) => Promise<void>;
  reset: () => void;
}

/** A compared block: what its numbers are, how they agree, and what differs. */
export function Compared({ phase, choose, replace, reset }: ComparedProps) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  const { comparison, chosen, step } = phase;
  const cells = useMemo(() => compareCells(comparison, chosen), [comparison, chosen]);
  const agreeing = cells.filter(isAgreeing).length;
  const place = toPartPlace(comparison.part);
  const isReplaced = step === "replaced";
  return (
    <>
      {!isReplaced && (
        <section className={styles.section}>
          <Heading as="h3" isSmall>
            {texts.proposals}
          </Heading>
          {comparison.proposals.map((proposal, index) => (
            <ProposalLine
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a comparison stay
              key={index}
              proposal={proposal}
              chosen={chosen[index] ?? null}
              cells={cells}
              isFixed={step !== "compared"}
              choose={(hypothesis) => choose(index, hypothesis)}
            />
          ))}
          {comparison.block.leftAlone > 0 && <Hint block>{texts.leftAlone(comparison.block.leftAlone)}</Hint>}
        </section>
      )}
      <NotFound comparison={comparison} />
      {cells.length > 0 && (
        <Fold isPlain title={texts.map}>
          <AgreementMap cells={cells} />
        </Fold>
      )}
      <Differences sheet={comparison.part.sheet} cells={cells.filter(({ agreement }) => agreement === "differs")} />
      {!isReplaced && agreeing === 0 && <Body1 block>{texts.nothingToReplace}</Body1>}
      <div className={styles.buttons}>
        {!isReplaced && agreeing > 0 && (
          <Button
            appearance="primary"
            disabledFocusable={step === "replacing"}
            icon={step === "replacing" ? <Spinner size="extra-tiny" /> : undefined}
            onClick={() => void replace(cells, place)}
          >
            {step === "replacing" ? texts.replacing : texts.replace(agreeing)}
          </Button>
        )}
        <Button onClick={reset} disabledFocusable={step === "replacing"}>
          {texts.another}
        </Button>
      </div>
    </>
  );
}

/** The companies without figures, each with its reason. */
function NotFound({ comparison: { companies } }: { comparison: Comparison }) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  const lost = companies.filter(({ answer }) => answer === null);
  if (lost.length === 0) return null;
  return (
    <section className={styles.section}>
      <Heading as="h3" isSmall>
        {texts.notFound}
      </Heading>
      <ul className={styles.lost}>
        {lost.map(({ label, error }) => (
          <li key={label.text}>
            <Body1>{label.text}</Body1>
            <Reason error={error ?? texts.noSuch} />
          </li>
        ))}
      </ul>
    </section>
  );
}
