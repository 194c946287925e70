import { Button, Field, Input, type InputProps, makeStyles, tokens } from "@fluentui/react-components";
import { type FormEvent, type ReactElement, type RefAttributes, useEffect, useRef, useState } from "react";
import { PAIRING_STORAGE_KEY, WRONG_CODE } from "../../contract/door";
import { FeedError } from "../../feed/errors";
import { toCode } from "../../session/pairing";
import type { Session } from "../../session/session";
import { Reason } from "../Reason";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  form: { marginBottom: tokens.spacingVerticalM },
  row: { display: "flex", minWidth: 0, columnGap: tokens.spacingHorizontalS },
  code: { width: "12em", minWidth: 0, flexShrink: 1, fontFamily: tokens.fontFamilyMonospace },
  command: { fontFamily: tokens.fontFamilyMonospace, whiteSpace: "nowrap" },
});

interface PairingProps {
  session: Session;
  texts: Texts;
  /** Is called when the page is paired, for this form then goes. */
  onPaired: () => void;
}

/** Asks for the code that the companion's terminal prints, while the companion does not know this page. */
export function Pairing({ session, texts, onPaired }: PairingProps) {
  const styles = useStyles();
  const field = useRef<HTMLInputElement>(null);
  const [written, setWritten] = useState("");
  const [refusal, setRefusal] = useState<ReactElement | string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => takeFocus(field.current), []);
  useEffect(() => onPairedElsewhere(() => void session.connect()), [session]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const reason = await pair(session, written, texts);
    setBusy(false);
    setRefusal(reason);
    if (reason === null) onPaired();
    else field.current?.focus();
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Field
        label={texts.pairingCode}
        hint={<Hint texts={texts} />}
        validationState={refusal === null ? "none" : "error"}
        validationMessage={refusal}
        // Beside paragraphs it would stand on a line of its own.
        {...(typeof refusal === "object" && { validationMessageIcon: null })}
      >
        <div className={styles.row}>
          <Code ref={field} value={written} onChange={(_, { value }) => setWritten(value)} />
          <Button type="submit" appearance="primary" disabledFocusable={isBusy}>
            {texts.pair}
          </Button>
        </div>
      </Field>
    </form>
  );
}

function Code(props: InputProps & RefAttributes<HTMLInputElement>) {
  const styles = useStyles();
  const plain = { placeholder: "ABCD-EFGH", autoComplete: "off", autoCapitalize: "characters", spellCheck: false };
  return <Input {...props} {...plain} className={styles.code} />;
}

function Hint({ texts }: { texts: Texts }) {
  const styles = useStyles();
  return (
    <>
      {texts.pairingHint} <code className={styles.command}>npm run companion -- pair</code>
    </>
  );
}

/** Gives what says why it did not come about; null when it did. */
async function pair(session: Session, written: string, texts: Texts): Promise<ReactElement | string | null> {
  const code = toCode(written);
  if (code === null) return texts.codeIncomplete; // which costs none of the companion's five tries
  try {
    await session.pair(code);
    return null;
  } catch (error) {
    const isWrong = error instanceof FeedError && error.facts.refusal === WRONG_CODE;
    return isWrong ? texts.codeRefused : <Reason error={error} texts={texts} />;
  }
}

/** Whoever writes in another field of the pane goes on writing there. */
function takeFocus(field: HTMLInputElement | null): void {
  if (!(document.activeElement instanceof HTMLInputElement)) field?.focus();
}

/** Browsers tell of what another window of the origin keeps. */
function onPairedElsewhere(tell: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === PAIRING_STORAGE_KEY && newValue !== null) tell();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}
