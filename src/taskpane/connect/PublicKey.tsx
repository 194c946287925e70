import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import type { CompanionKey } from "../../session/set-up";
import { usePane } from "../pane";

const useStyles = makeStyles({
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  outcome: { ":not(:empty)": { marginTop: tokens.spacingVerticalS } },
  text: {
    boxSizing: "border-box",
    width: "100%",
    height: "9em",
    marginTop: tokens.spacingVerticalXS,
    resize: "vertical",
    border: `1px solid ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    color: tokens.colorNeutralForeground1,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
  },
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
  const [outcome, setOutcome] = useState<{ isCopied: boolean; text: string } | null>(null);
  const copy = async (text: string) => {
    setOutcome(null);
    setOutcome({ isCopied: await tryCopy(text), text });
  };
  const letter = words.letter({ ...publicKey, client });
  return (
    <>
      <div className={styles.buttons}>
        <Button onClick={() => void copy(letter)}>{words.copyText}</Button>
        <Button onClick={() => void copy(publicKey.publicKeyPem)}>{words.copyPem}</Button>
      </div>
      <div role="status" className={styles.outcome}>
        {outcome !== null && (outcome.isCopied ? words.copied : words.copyByHand)}
      </div>
      {outcome?.isCopied === false && <Selected text={outcome.text} label={words.copyByHand} />}
      {outcome?.isCopied !== false && (
        <details>
          <summary>{words.showText}</summary>
          <textarea className={styles.text} readOnly aria-label={words.showText} value={letter} />
        </details>
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
  return <textarea ref={area} className={styles.text} readOnly aria-label={label} value={text} />;
}

/** A browser may deny it to a page in a frame, as Excel on the web shows panes. */
async function tryCopy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
