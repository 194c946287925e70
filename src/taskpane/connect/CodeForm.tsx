import { Button, Field, Input, type InputProps, makeStyles, tokens } from "@fluentui/react-components";
import {
  type FormEvent,
  type ReactElement,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { FeedError } from "../../client/errors";
import { WRONG_CODE } from "../../contract/companion-api";
import type { Session } from "../../session/session";
import { type PairingRequest, requestPairing, toCode, toSentCode } from "../../session/sign-in";
import { Reason } from "../Reason";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  row: { display: "flex", minWidth: 0, columnGap: tokens.spacingHorizontalS },
  code: { width: "12em", minWidth: 0, flexShrink: 1, fontFamily: tokens.fontFamilyMonospace },
});

export interface CodeFormProps {
  session: Session;
  texts: Texts;
  /** For which the code is. */
  request: OwnRequest;
  /** The field itself, for whoever sends the focus there. */
  field: RefObject<HTMLInputElement | null>;
  /** Where the code is to be found. */
  hint: ReactElement | string;
  /** What is said of a wrong code. */
  refused: string;
  /** Is called when the page is paired, for this form then goes. */
  onPaired: () => void;
}

/** The field for a pairing code. */
export function CodeForm(props: CodeFormProps) {
  const { texts, field, hint, onPaired } = props;
  const styles = useStyles();
  const [written, setWritten] = useState("");
  const [refusal, setRefusal] = useState<ReactElement | string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const reason = await pair(written, props);
    setBusy(false);
    setRefusal(reason);
    if (reason === null) onPaired();
    else field.current?.focus();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Field
        label={texts.pairingCode}
        hint={hint}
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

function Code(props: InputProps & { ref: Ref<HTMLInputElement> }) {
  const styles = useStyles();
  const plain = { placeholder: "ABCD-EFGH", autoComplete: "off", autoCapitalize: "characters", spellCheck: false };
  return <Input {...props} {...plain} className={styles.code} />;
}

/** Gives what says why it did not come about; null when it did. */
async function pair(
  written: string,
  { session, request, texts, refused }: CodeFormProps,
): Promise<ReactElement | string | null> {
  const code = toCode(written);
  if (code === null) return texts.codeIncomplete; // which costs none of the companion's five tries
  try {
    await session.pair(toSentCode(code, await request.load()));
    return null;
  } catch (error) {
    const isWrong = error instanceof FeedError && error.facts.refusal === WRONG_CODE;
    return isWrong ? refused : <Reason error={error} />;
  }
}

/** This page's request to be paired, as soon as the companion has taken it. */
interface OwnRequest {
  /** Null until it is there. */
  known: PairingRequest | null;
  /** Gives it, asked for once more where that failed. @throws as {@link requestPairing} */
  load(): Promise<PairingRequest>;
}

/** Asks to be paired while a code is wanted: once, since another request would want another code. */
export function usePairingRequest(session: Session): OwnRequest {
  const [known, setKnown] = useState<PairingRequest | null>(null);
  const pending = useRef<Promise<PairingRequest> | null>(null);
  const load = useCallback(() => {
    pending.current ??= requestPairing(session).catch((error) => {
      pending.current = null;
      throw error;
    });
    return pending.current.then((request) => {
      setKnown(request);
      return request;
    });
  }, [session]);
  useEffect(() => {
    load().catch(() => undefined); // what fails is told when a code is entered, which asks again
  }, [load]);
  return { known, load };
}
