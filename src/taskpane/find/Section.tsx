import { Body1, Button, Caption1, makeStyles, Subtitle2, tokens } from "@fluentui/react-components";
import { type ReactNode, useId } from "react";
import { FeedError } from "../../feed/errors";
import type { Question, State } from "../../feed/watch";
import { usePane } from "../pane";
import { Reason } from "../Reason";

const useStyles = makeStyles({
  section: { borderTop: `1px solid ${tokens.colorNeutralStroke2}`, paddingTop: tokens.spacingVerticalS },
  heading: { margin: `0 0 ${tokens.spacingVerticalXS}`, fontSize: tokens.fontSizeBase300 },
  quiet: { color: tokens.colorNeutralForeground3 },
  again: { marginTop: tokens.spacingVerticalS },
});

/** The data family that a section is of, by which it says that the family lacks the company or is barred. */
export type SectionFamily = "financials" | "companies" | "taxonomies" | "tree";

interface SectionProps<T> {
  title: string;
  family: SectionFamily;
  question: Question<T>;
  state: State<T>;
  /** Shows the answer. @throws FeedError where it cannot be read, which the section then says */
  show: (value: T) => ReactNode;
}

/** A part of the card with a state of its own: one family that fails or is barred leaves the others. */
export function Section<T>({ title, ...content }: SectionProps<T>) {
  const styles = useStyles();
  const heading = useId();
  return (
    <section aria-labelledby={heading} aria-busy={content.state.status === "pending"} className={styles.section}>
      <Subtitle2 as="h3" block id={heading} className={styles.heading}>
        {title}
      </Subtitle2>
      <Content {...content} />
    </section>
  );
}

function Content<T>({ family, question, state, show }: Omit<SectionProps<T>, "title">) {
  const { session, texts } = usePane();
  const { ofFind } = texts;
  const styles = useStyles();
  if (state.status === "pending") return <Caption1 className={styles.quiet}>{ofFind.loading}</Caption1>;
  const shown = state.status === "answered" ? tryShow(show, state.answer.value) : { error: state.error };
  if ("node" in shown) return shown.node;
  const code = shown.error instanceof FeedError ? shown.error.code : null;
  if (code === "FEED_NOT_FOUND") return <Body1 className={styles.quiet}>{ofFind.absent[family]}</Body1>;
  if (code === "FEED_SCOPE_MISSING") return <Body1 className={styles.quiet}>{ofFind.refused[family]}</Body1>;
  return (
    <>
      <Reason error={shown.error} texts={texts} />
      <Button size="small" className={styles.again} onClick={() => session.feed.watch.renew(question.key)}>
        {ofFind.again}
      </Button>
    </>
  );
}

/** An answer is read where it is shown, and may turn out there to be none. */
function tryShow<T>(show: (value: T) => ReactNode, value: T): { node: ReactNode } | { error: unknown } {
  try {
    return { node: show(value) };
  } catch (error) {
    if (error instanceof FeedError) return { error };
    throw error;
  }
}
