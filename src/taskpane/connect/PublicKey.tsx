import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import type { CompanionKey } from "../../session/set-up";
import { Fold } from "../Fold";
import { usePane } from "../pane";
import { TextArea } from "../TextArea";
import { useCopy } from "../use-copy";

const useStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  text: { height: "9em", marginTop: tokens.spacingVerticalXS },
});

interface PublicKeyProps {
  publicKey: CompanionKey;
  /** Whose second key it is; null for a client that the provider has yet to name. */
  client: { clientId: string; keyId: string } | null;
}

/** Hands the public half out, alone or in a text that the provider understands. */
export function PublicKey({ publicKey, client }: PublicKeyProps) {
  const { texts } = usePane();
  const words = texts.ofConnect.setUp;
  const styles = useStyles();
  const [denied, setDenied] = useState<string | null>(null);
  const copyText = useCopy();
  const copy = (text: string) => {
    setDenied(null);
    return copyText(text, () => setDenied(text));
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

/** Stands ready for the person's own copying. */
function Selected({ text, label }: { text: string; label: string }) {
  const styles = useStyles();
  const area = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is to be selected as well
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, [text]);
  return <TextArea ref={area} className={styles.text} readOnly aria-label={label} value={text} />;
}
