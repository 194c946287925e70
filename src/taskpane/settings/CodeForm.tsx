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
import { Row } from "../layout";
import { Reason } from "../Reason";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  code: { width: "12em", minWidth: 0, flexShrink: 1, fontFamily: tokens.fontFamilyMonospace },
});

export interface CodeFormProps {
  session: Session;
  texts: Texts;
  /** The pairing request that the code is for. */
  request: OwnRequest;
  /** The field, for focus. */
  field: RefObject<HTMLInputElement | null>;
  /** Advice on where to find the code. */
  hint: ReactElement | string;
  /** The message for a wrong code. */
  refused: string;
  /** Called when the page is paired, which unmounts this form. */
  onPaired: () => void;
}

/** The field for a pairing code. */
export function CodeForm(props: CodeFormProps) {
  const { texts, field, hint, onPaired } = props;
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
        // Beside paragraphs the icon would take a line of its own.
        {...(typeof refusal === "object" && { validationMessageIcon: null })}
      >
        <Row isOneLine>
          <Code ref={field} value={written} onChange={(_, { value }) => setWritten(value)} />
          <Button type="submit" appearance="primary" disabledFocusable={isBusy}>
            {texts.pair}
          </Button>
        </Row>
      </Field>
    </form>
  );
}

function Code(props: InputProps & { ref: Ref<HTMLInputElement> }) {
  const styles = useStyles();
  const plain = { placeholder: "ABCD-EFGH", autoComplete: "off", autoCapitalize: "characters", spellCheck: false };
  return <Input {...props} {...plain} className={styles.code} />;
}

/** Pairs the page; resolves to the message of a failure, or to null. */
async function pair(
  written: string,
  { session, request, texts, refused }: CodeFormProps,
): Promise<ReactElement | string | null> {
  const code = toCode(written);
  if (code === null) return texts.codeIncomplete; // sent nowhere, so it uses none of the five attempts
  try {
    await session.pair(toSentCode(code, await request.load()));
    return null;
  } catch (error) {
    const isWrong = error instanceof FeedError && error.facts.refusal === WRONG_CODE;
    return isWrong ? refused : <Reason error={error} />;
  }
}

/** This page's pairing request. */
interface OwnRequest {
  /** Null until the companion has accepted it. */
  known: PairingRequest | null;
  /** Returns the request, sent again after a failure. @throws as {@link requestPairing} */
  load(): Promise<PairingRequest>;
}

/** Sends one pairing request; another would need another code. */
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
    load().catch(() => undefined); // entering a code sends it again and shows the failure
  }, [load]);
  return { known, load };
}
