import { Body1, Button, Caption1, Field, makeStyles, Select, Spinner, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import type { CompanionKey } from "../../session/set-up";
import { Fold } from "../Fold";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { TextArea } from "../TextArea";
import type { Texts } from "../texts";
import { useCopy } from "../use-copy";

const useStyles = makeStyles({
  thumbprint: { overflowWrap: "anywhere", color: tokens.colorNeutralForeground3 },
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
  const styles = useStyles();
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
          <Caption1 block className={styles.thumbprint}>
            {texts.thumbprint}: {chosen.thumbprint}
          </Caption1>
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
      <Button
        {...(isFirst
          ? { appearance: "primary" }
          : { appearance: "transparent", size: "small", className: styles.another })}
        disabledFocusable={isBusy}
        icon={isBusy ? <Spinner size="extra-tiny" aria-hidden /> : undefined}
        onClick={() => void create()}
      >
        {isBusy ? words.creating : isFirst ? words.createKey : words.createAnother}
      </Button>
      <div role="status">{failure !== null && <Reason error={failure} />}</div>
    </>
  );
}

const toDay = ({ createdAt }: CompanionKey, { language }: Texts): string =>
  new Date(createdAt).toLocaleDateString(language, { dateStyle: "medium" });

const usePublicKeyStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  text: { height: "9em", marginTop: tokens.spacingVerticalXS },
});

interface PublicKeyProps {
  publicKey: CompanionKey;
  /** The client of a second key; null for a client without an id yet. */
  client: { clientId: string; keyId: string } | null;
}

/** Copies the public key, alone or in a letter to the provider. */
export function PublicKey({ publicKey, client }: PublicKeyProps) {
  const { texts } = usePane();
  const words = texts.ofSettings.setUp;
  const styles = usePublicKeyStyles();
  const [denied, setDenied] = useState<string | null>(null);
  const copyText = useCopy();
  const copy = async (text: string) => {
    setDenied(null);
    if (!(await copyText(text))) setDenied(text);
  };
  const letter = words.letter({ ...publicKey, client });
  return (
    <>
      <div className={styles.buttons}>
        <Button onClick={() => void copy(letter)}>{words.copyText}</Button>
        <Button onClick={() => void copy(publicKey.publicKeyPem)}>{words.copyPem}</Button>
      </div>
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
  const styles = usePublicKeyStyles();
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects each new text
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, [text]);
  return <TextArea ref={area} className={styles.text} readOnly aria-label={label} value={text} />;
}
