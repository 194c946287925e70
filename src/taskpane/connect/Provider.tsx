import { Body1, Button, makeStyles, Subtitle2, tokens } from "@fluentui/react-components";
import { type RefObject, useState, useSyncExternalStore } from "react";
import type { Configuration } from "../../session/configuration";
import { Fold } from "../Fold";
import { usePane } from "../pane";
import { Facts } from "./Facts";
import type { Purpose } from "./guide";
import { SampleReturn } from "./SampleReturn";

const useStyles = makeStyles({
  heading: { margin: `0 0 ${tokens.spacingVerticalXS}` },
  offer: { marginBottom: tokens.spacingVerticalL },
  text: { color: tokens.colorNeutralForeground2 },
  buttons: {
    display: "flex",
    flexWrap: "wrap",
    gap: tokens.spacingHorizontalS,
    marginTop: tokens.spacingVerticalM,
  },
});

interface ProviderProps {
  configuration: Configuration;
  /** Whether the facts are what the person would look at, as when connecting failed. */
  isOpen: boolean;
  /** Has the person set something up. */
  setUp: (purpose: Purpose) => void;
  /** The pane's first button, where focus goes when what had it is gone. */
  first: RefObject<HTMLButtonElement | null>;
}

/** Whose data it is: what is configured, and what of that may be changed here. */
export function Provider({ configuration, isOpen, setUp, first }: ProviderProps) {
  const { session, texts } = usePane();
  const pairing = useSyncExternalStore(session.subscribe, session.pairing);
  const styles = useStyles();
  const { sample, baseUrl, settable } = configuration;
  const toFirst = () => first.current?.focus();
  return (
    <div>
      {sample && <Offer isSettable={settable.length > 0} begin={() => setUp("provider")} />}
      <Fold title={texts.connection} note={sample ? texts.sample : toHost(baseUrl)} isOpen={isOpen}>
        <Facts
          configuration={configuration}
          pairing={pairing}
          unpair={() => session.unpair().then(toFirst)}
          texts={texts}
        />
        {!sample && settable.length === 0 && (
          <Body1 as="p" className={styles.text}>
            {texts.ofConnect.provider.lockedAll}
          </Body1>
        )}
        {!sample && settable.length > 0 && <Changes {...{ configuration, setUp, toFirst }} />}
      </Fold>
    </div>
  );
}

/** The way from sample data to a provider, or who can open it. */
function Offer({ isSettable, begin }: { isSettable: boolean; begin: () => void }) {
  const { texts } = usePane();
  const styles = useStyles();
  const words = texts.ofConnect.sample;
  return (
    <section className={styles.offer}>
      <Subtitle2 as="h2" block className={styles.heading}>
        {words.title}
      </Subtitle2>
      <Body1 className={styles.text}>{isSettable ? words.text : words.locked}</Body1>
      {isSettable && (
        <div className={styles.buttons}>
          <Button onClick={begin}>{words.begin}</Button>
        </div>
      )}
    </section>
  );
}

interface ChangesProps extends Pick<ProviderProps, "configuration" | "setUp"> {
  toFirst: () => void;
}

function Changes({ configuration: { settable }, setUp, toFirst }: ChangesProps) {
  const { texts } = usePane();
  const styles = useStyles();
  const words = texts.ofConnect.provider;
  const [isLeaving, setLeaving] = useState(false);
  if (isLeaving) return <SampleReturn stay={() => setLeaving(false)} onLeft={toFirst} />;
  return (
    <div className={styles.buttons}>
      <Button size="small" onClick={() => setUp("change")}>
        {words.change}
      </Button>
      {settable.includes("keyId") && (
        <Button size="small" onClick={() => setUp("secondKey")}>
          {words.secondKey}
        </Button>
      )}
      <Button size="small" appearance="subtle" onClick={() => setLeaving(true)}>
        {words.toSample}
      </Button>
    </div>
  );
}

const toHost = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
