import { Button, makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { FeedError, InternalError } from "../client/errors";
import { translate } from "../client/messages";
import { CURES, NAME_CURES } from "../feed/cures";
import { isOnTheWeb, isOwnCompanion } from "./host";
import { usePane } from "./pane";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  reason: { margin: `${tokens.spacingVerticalXS} 0 0`, overflowWrap: "anywhere" },
  sentence: { "::first-letter": { textTransform: "uppercase" } },
  code: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

interface ReasonProps {
  error: unknown;
  /** Whether the buttons that mend it stand beside it; default no. */
  hasFixes?: boolean;
}

/** Why something failed, the remedy, and the facts that support needs. */
export function Reason({ error, hasFixes = false }: ReasonProps) {
  const { texts, open } = usePane();
  const styles = useStyles();
  if (!(error instanceof Error)) return <p className={styles.reason}>{String(error)}</p>;
  const { code, text, facts } = error instanceof FeedError ? error : new InternalError(error);
  const { traceId, named } = facts;
  const cure = (named && NAME_CURES[code]) ?? CURES[code];
  return (
    <>
      <p className={mergeClasses(styles.reason, styles.sentence)}>{toSentences(translate(text), texts)}</p>
      <p className={styles.reason}>
        <strong>{texts.cure}:</strong> {cure[texts.language]}
      </p>
      {named !== undefined && !hasFixes && (
        <Button size="small" className={styles.reason} onClick={() => open("find", { name: named.name, named })}>
          {texts.ofPicker.chooseInFind}
        </Button>
      )}
      {code === "FEED_SIGNER_UNREACHABLE" && isOnTheWeb() && (
        <p className={styles.reason}>{texts.ofSettings.localNetwork}</p>
      )}
      <p className={mergeClasses(styles.reason, styles.code)}>
        {code}
        {traceId !== undefined && ` · traceId ${traceId}`}
      </p>
    </>
  );
}

/** Announces why something failed; `error` is null while nothing has. */
export const Failure = ({ error }: { error: unknown }) => (
  <div role="status">{error !== null && <Reason error={error} />}</div>
);

/** The companion's advice to run a command helps only those who run it. */
const COMMAND = /[^.]*: (npm run companion --|feed) .*$/;

/** Why something failed, in the sentences that its cell has. */
export function toReasonText(error: unknown, texts: Texts): string {
  if (!(error instanceof Error)) return String(error);
  return toSentences(translate((error instanceof FeedError ? error : new InternalError(error)).text), texts);
}

const toSentences = (message: string, { askElsewhere }: Texts): string =>
  isOwnCompanion(location.origin) ? message : message.replace(COMMAND, ` ${askElsewhere}`);
