import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { type ReactNode, useId } from "react";
import { FeedError } from "../../client/errors";
import type { Query, State } from "../../feed/query-cache";
import { Heading, Hint, useLook } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  section: { borderTop: `1px solid ${tokens.colorNeutralStroke2}`, paddingTop: tokens.spacingVerticalS },
});

/** The family of a section's data, for its sentences about missing data and access. */
type SectionFamily = "financials" | "companies" | "taxonomies" | "tree";

interface SectionProps<T, R> {
  title: string;
  /** Default h3, below a company's name. */
  level?: "h2" | "h3";
  family: SectionFamily;
  query: Query<T>;
  state: State<T>;
  /** Reads the answer. @throws FeedError where it cannot be read; the section shows it */
  read: (value: T, texts: Texts) => R;
  show: (read: R) => ReactNode;
}

/** A section with a state of its own, so that one family's failure leaves the others. */
export function Section<T, R>({ title, level = "h3", ...content }: SectionProps<T, R>) {
  const styles = useStyles();
  const heading = useId();
  return (
    <section aria-labelledby={heading} aria-busy={content.state.status === "pending"} className={styles.section}>
      <Heading id={heading} as={level} gap="XS" isSmall>
        {title}
      </Heading>
      <Content {...content} />
    </section>
  );
}

function Content<T, R>({ family, query, state, read, show }: Omit<SectionProps<T, R>, "title" | "level">) {
  const { session, texts } = usePane();
  const { ofFind } = texts;
  const look = useLook();
  if (state.status === "pending") return <Hint>{ofFind.loading}</Hint>;
  const outcome = state.status === "answered" ? tryRead(() => read(state.answer.value, texts)) : { error: state.error };
  if ("value" in outcome) return show(outcome.value);
  const code = outcome.error instanceof FeedError ? outcome.error.code : null;
  if (code === "FEED_NOT_FOUND") return <Hint>{ofFind.absent[family]}</Hint>;
  if (code === "FEED_SCOPE_MISSING") return <Hint>{ofFind.refused[family]}</Hint>;
  return (
    <>
      <Reason error={outcome.error} />
      <Button size="small" className={look.aboveS} onClick={() => session.feed.queryCache.renew(query.key)}>
        {ofFind.again}
      </Button>
    </>
  );
}

/** Reading checks the fields, so that an answer may turn out malformed. */
function tryRead<R>(read: () => R): { value: R } | { error: unknown } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof FeedError) return { error };
    throw error;
  }
}
