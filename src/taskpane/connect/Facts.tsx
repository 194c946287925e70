import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { Configuration } from "../../session/configuration";
import type { PairingStatus } from "../../session/pairing";
import { Reason } from "../Reason";
import type { Texts } from "../texts";

const useStyles = makeStyles({
  facts: { margin: 0, display: "grid", rowGap: tokens.spacingVerticalS },
  term: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, overflowWrap: "anywhere" },
  unpair: { display: "block", marginTop: tokens.spacingVerticalXS },
});

interface FactsProps {
  configuration: Configuration;
  pairing: PairingStatus;
  /** Ends the pairing; rejects when the companion is not there. */
  unpair: () => Promise<void>;
  texts: Texts;
}

/** What is configured, as the companion tells it, and how this page stands with it. */
export function Facts({ configuration, pairing, unpair, texts }: FactsProps) {
  const styles = useStyles();
  const { baseUrl, clientId, keyId, previousKeyId, thumbprint, mode, transport, sample } = configuration;
  const facts: [string, string][] = [
    [texts.provider, baseUrl],
    [texts.clientId, clientId],
    [texts.keyId, keyId],
    ...(previousKeyId === null ? [] : [[texts.previousKeyId, previousKeyId] as [string, string]]),
    [texts.thumbprint, thumbprint],
    [texts.mode, texts[mode]],
    [texts.transport, texts[transport]],
  ];
  const isPaired = pairing === "kept" || pairing === "passing";
  return (
    <dl className={styles.facts}>
      {facts.map(([term, fact]) => (
        <div key={term}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.fact}>{fact}</dd>
        </div>
      ))}
      <div>
        <dt className={styles.term}>{texts.pairing}</dt>
        <dd className={styles.fact}>
          {texts.pairingOf[sample && !isPaired ? "sample" : pairing]}
          {isPaired && <Unpair unpair={unpair} texts={texts} />}
        </dd>
      </div>
    </dl>
  );
}

function Unpair({ unpair, texts }: Pick<FactsProps, "unpair" | "texts">) {
  const styles = useStyles();
  const [failure, setFailure] = useState<unknown>(null);
  return (
    <>
      <Button size="small" className={styles.unpair} onClick={() => void unpair().catch(setFailure)}>
        {texts.unpair}
      </Button>
      <div role="status">{failure !== null && <Reason error={failure} texts={texts} />}</div>
    </>
  );
}
