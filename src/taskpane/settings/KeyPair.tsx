import { Body1, Button, Field, makeStyles, Select, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import type { CompanionKey } from "../../session/set-up";
import { Fold } from "../Fold";
import { BusyButton, Hint, Row, useLook } from "../layout";
import { useCopy, usePane } from "../pane";
import { Failure } from "../Reason";
import { TextArea } from "../TextArea";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  text: { height: "9em", marginTop: tokens.spacingVerticalXS },
  another: { marginTop: tokens.spacingVerticalXS, minWidth: 0, paddingLeft: 0, paddingRight: 0 },
});

interface KeyPairProps {
  /** The keys to choose from, the newest first. */
  keys: readonly CompanionKey[];
  chosen: CompanionKey | null;
  choose: (thumbprint: string) => void;
  /** Receives a new key. */
  add: (key: CompanionKey) => void;
  /** Receives the error of a failed creation. */
  fail: (error: unknown) => void;
}

/** The key pair whose public key goes to the provider: created here, or chosen among several. */
export function KeyPair({ keys, chosen, choose, add, fail }: KeyPairProps) {
  const { texts } = usePane();
  const words = texts.ofSettings.setUp;
  const look = useLook();
  return (
    <>
      {keys.length > 1 && (
        <Field label={words.keyChoice}>
          <Select value={chosen?.thumbprint} onChange={(_, { value }) => choose(value)}>
            {keys.map((key) => (
              <option key={key.thumbprint} value={key.thumbprint}>
                {`${toDay(key, texts)} · ${key.thumbprint.slice(0, 8)}`}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {chosen !== null && (
        <>
          <Body1 block>{words.keyFacts(chosen.bits, toDay(chosen, texts))}</Body1>
          <Hint block className={look.breaking}>
            {texts.thumbprint}: {chosen.thumbprint}
          </Hint>
        </>
      )}
      <Create isFirst={chosen === null} add={add} fail={fail} />
    </>
  );
}

function Create({ isFirst, add, fail }: Pick<KeyPairProps, "add" | "fail"> & { isFirst: boolean }) {
  const { session, texts } = usePane();
  const words = texts.ofSettings.setUp;
  const styles = useStyles();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const create = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      add(await (await session.setUp()).createKey());
    } catch (error) {
      setFailure(error);
      fail(error);
    }
    setBusy(false);
  };
  return (
    <>
      <BusyButton
        {...(isFirst
          ? { appearance: "primary" }
          : { appearance: "transparent", size: "small", className: styles.another })}
        isBusy={isBusy}
        onClick={() => void create()}
      >
        {isBusy ? words.creating : isFirst ? words.createKey : words.createAnother}
      </BusyButton>
      <Failure error={failure} />
    </>
  );
}

const toDay = ({ createdAt }: CompanionKey, { language }: Texts): string =>
  new Date(createdAt).toLocaleDateString(language, { dateStyle: "medium" });

interface PublicKeyProps {
  publicKey: CompanionKey;
  /** The client of a second key; null for a client without an id yet. */
  client: { clientId: string; keyId: string } | null;
}

/** Copies the public key, alone or in a letter to the provider. */
export function PublicKey({ publicKey, client }: PublicKeyProps) {
  const { texts } = usePane();
  const words = texts.ofSettings.setUp;
  const styles = useStyles();
  const [denied, setDenied] = useState<string | null>(null);
  const copyText = useCopy();
  const copy = async (text: string) => {
    setDenied(null);
    if (!(await copyText(text))) setDenied(text);
  };
  const letter = words.letter({ ...publicKey, client });
  return (
    <>
      <Row>
        <Button onClick={() => void copy(letter)}>{words.copyText}</Button>
        <Button onClick={() => void copy(publicKey.publicKeyPem)}>{words.copyPem}</Button>
      </Row>
      {denied === null ? (
        <Fold isPlain title={words.showText}>
          <TextArea className={styles.text} readOnly aria-label={words.showText} value={letter} />
        </Fold>
      ) : (
        <Selected text={denied} label={texts.copyByHand} />
      )}
    </>
  );
}

/** A text, selected for the person's own copying. */
function Selected({ text, label }: { text: string; label: string }) {
  const styles = useStyles();
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects each new text
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, [text]);
  return <TextArea ref={area} className={styles.text} readOnly aria-label={label} value={text} />;
}
