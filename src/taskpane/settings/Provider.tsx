import { Body1, Button, makeStyles, tokens } from "@fluentui/react-components";
import { type RefObject, useRef, useState, useSyncExternalStore } from "react";
import type { Configuration } from "../../client/configuration";
import type { PairingStatus } from "../../session/pairing";
import { Fold } from "../Fold";
import { useStableFocus } from "../focus";
import { Heading, Row, Stack, useLook } from "../layout";
import { attempt, usePane } from "../pane";
import { Failure } from "../Reason";
import { Confirmation } from "./Confirmation";
import type { Purpose } from "./SetUp";

const useStyles = makeStyles({
  offer: { marginBottom: tokens.spacingVerticalL },
  facts: { margin: 0 },
  term: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, overflowWrap: "anywhere" },
  unpair: { display: "block", marginTop: tokens.spacingVerticalXS },
});

interface ProviderProps {
  configuration: Configuration;
  /** Whether the facts show unfolded, as after a failed connection. */
  isOpen: boolean;
  /** Opens the set-up. */
  setUp: (purpose: Purpose) => void;
  /** The pane's first button; it takes the focus when the focused element disappears. */
  first: RefObject<HTMLButtonElement | null>;
}

/** The configured provider, and the settings that can be changed here. */
export function Provider({ configuration, isOpen, setUp, first }: ProviderProps) {
  const { session, texts } = usePane();
  const pairing = useSyncExternalStore(session.subscribe, session.pairing);
  const look = useLook();
  const { sample, weeks, baseUrl, settable } = configuration;
  const isSettable = settable.length > 0;
  const toFirst = () => first.current?.focus();
  return (
    <div>
      {sample && isSettable && <SampleWeeks weeks={weeks} />}
      {sample && <Offer isSettable={isSettable} begin={() => setUp("provider")} />}
      <Fold title={texts.connection} summary={sample ? texts.sample : toHost(baseUrl)} isOpen={isOpen}>
        <Facts configuration={configuration} pairing={pairing} unpair={() => session.unpair().then(toFirst)} />
        {!sample && !isSettable && (
          <Body1 as="p" className={look.second}>
            {texts.ofSettings.provider.lockedAll}
          </Body1>
        )}
        {!sample && isSettable && <Changes {...{ configuration, setUp, toFirst }} />}
      </Fold>
    </div>
  );
}

/** Offers to replace sample data by a provider, or names who can do so. */
function Offer({ isSettable, begin }: { isSettable: boolean; begin: () => void }) {
  const { texts } = usePane();
  const styles = useStyles();
  const look = useLook();
  const words = texts.ofSettings.sample;
  return (
    <section className={styles.offer}>
      <Heading gap="XS">{words.title}</Heading>
      <Body1 className={look.second}>{isSettable ? words.text : words.locked}</Body1>
      {isSettable && (
        <Row className={look.aboveM}>
          <Button onClick={begin}>{words.begin}</Button>
        </Row>
      )}
    </section>
  );
}

/** Moves the sample data by a week, so that a refresh has something to show. */
function SampleWeeks({ weeks }: Pick<Configuration, "weeks">) {
  const pane = usePane();
  const { session, texts, notify, run } = pane;
  const styles = useStyles();
  const look = useLook();
  const { sampleWeeks } = texts.ofSettings;
  const buttons = useRef<HTMLDivElement>(null);
  useStableFocus(buttons, weeks);
  const move = async (direction: "on" | "back") => {
    await (await session.setUp()).moveSample(direction);
    const refresh = { label: texts.ofCommands.commands.refreshAll, act: () => run("refreshAll") };
    notify({ intent: "success", text: sampleWeeks.moved[direction], actions: [refresh] });
  };
  const press = (direction: "on" | "back") => () => void attempt(pane, () => move(direction));
  return (
    <section className={styles.offer}>
      <Heading gap="XS">{sampleWeeks.title}</Heading>
      <Body1 className={look.second}>
        {sampleWeeks.text} {weeks > 0 && sampleWeeks.ahead(weeks)}
      </Body1>
      <Row ref={buttons} className={look.aboveM}>
        <Button onClick={press("on")}>{sampleWeeks.on}</Button>
        {weeks > 0 && <Button onClick={press("back")}>{sampleWeeks.back}</Button>}
      </Row>
    </section>
  );
}

interface ChangesProps extends Pick<ProviderProps, "configuration" | "setUp"> {
  toFirst: () => void;
}

function Changes({ configuration: { settable }, setUp, toFirst }: ChangesProps) {
  const { session, texts } = usePane();
  const look = useLook();
  const words = texts.ofSettings.provider;
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    await (await session.setUp()).returnToSample();
    toFirst();
  };
  if (isLeaving) {
    return (
      <div className={look.aboveM}>
        <Confirmation words={words.sampleReturn} confirm={leave} cancel={() => setLeaving(false)} />
      </div>
    );
  }
  return (
    <Row className={look.aboveM}>
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
    </Row>
  );
}

const toHost = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);

interface FactsProps {
  configuration: Configuration;
  pairing: PairingStatus;
  /** Ends the pairing; rejects when the companion does not answer. */
  unpair: () => Promise<void>;
}

/** The companion's configuration, and this page's pairing. */
function Facts({ configuration, pairing, unpair }: FactsProps) {
  const { texts } = usePane();
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
    <Stack as="dl" className={styles.facts}>
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
          {isPaired && <Unpair unpair={unpair} />}
        </dd>
      </div>
    </Stack>
  );
}

function Unpair({ unpair }: Pick<FactsProps, "unpair">) {
  const { texts } = usePane();
  const styles = useStyles();
  const [failure, setFailure] = useState<unknown>(null);
  return (
    <>
      <Button size="small" className={styles.unpair} onClick={() => void unpair().catch(setFailure)}>
        {texts.unpair}
      </Button>
      <Failure error={failure} />
    </>
  );
}
