import { Button, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { type ComponentType, useRef, useState } from "react";
import { type Handoffs, useHandoff, usePane } from "../pane";
import { PartFailure } from "../pane/PartFailure";
import { checkSectionTexts } from "../texts/check-section";
import { Heading, Hint } from "../typography";

const useStyles = makeStyles({
  section: {
    display: "grid",
    rowGap: tokens.spacingVerticalXS,
    justifyItems: "start",
    minWidth: 0,
    scrollMarginTop: "8em", // below the sticky head
    "& > *": { minWidth: 0, maxWidth: "100%" },
    ":focus": { outline: "none" }, // it takes focus only for screen readers
  },
});

type State = { status: "closed" | "loading" | "failed" } | { status: "open"; Check: ComponentType };

/** The check of the model, whose script loads when somebody wants it. */
export function CheckSection({ handoff }: { handoff: Handoffs["changes"] | undefined }) {
  const { ofCommands, language } = usePane().texts;
  const styles = useStyles();
  const section = useRef<HTMLElement>(null);
  const [state, setState] = useState<State>({ status: "closed" });
  const load = async () => {
    setState({ status: "loading" });
    try {
      const { Check } = await import(/* webpackChunkName: "model-check" */ "../check/Check");
      setState({ status: "open", Check });
    } catch {
      setState({ status: "failed" });
    }
  };
  useHandoff(handoff, () => {
    section.current?.scrollIntoView?.();
    section.current?.focus();
    if (state.status !== "open") void load();
  });
  const title = ofCommands.commands.checkModel;
  const { hint, begin } = checkSectionTexts[language];
  return (
    <section ref={section} tabIndex={-1} className={styles.section} aria-label={title}>
      <Heading isSmall>{title}</Heading>
      {state.status === "open" ? <state.Check /> : <Hint>{hint}</Hint>}
      {state.status === "closed" && (
        <Button size="small" onClick={() => void load()}>
          {begin}
        </Button>
      )}
      {state.status === "loading" && <Spinner size="tiny" />}
      {state.status === "failed" && (
        <PartFailure text={ofCommands.partMissing(title)} label={ofCommands.retry} retry={() => void load()} />
      )}
    </section>
  );
}
