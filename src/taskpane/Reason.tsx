import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { CURES } from "../feed/cures";
import { FeedError } from "../feed/errors";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  reason: { margin: `${tokens.spacingVerticalXS} 0 0`, overflowWrap: "anywhere" },
  sentence: { "::first-letter": { textTransform: "uppercase" } },
  code: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

/** Why something failed, what the user can do about it, and what support asks for. */
export function Reason({ error, texts }: { error: unknown; texts: Texts }) {
  const styles = useStyles();
  if (!(error instanceof FeedError)) return <p className={styles.reason}>{String(error)}</p>;
  const { traceId } = error.facts;
  return (
    <>
      <p className={mergeClasses(styles.reason, styles.sentence)}>{error.message}</p>
      <p className={styles.reason}>
        <strong>{texts.cure}:</strong> {CURES[error.code][texts.language]}
      </p>
      <p className={mergeClasses(styles.reason, styles.code)}>
        {error.code}
        {traceId !== undefined && ` · traceId ${traceId}`}
      </p>
    </>
  );
}
