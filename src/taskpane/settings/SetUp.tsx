import { Button, makeStyles, mergeClasses, Spinner, tokens, typographyStyles } from "@fluentui/react-components";
import { type ReactNode, useEffect, useRef } from "react";
import type { Configuration } from "../../client/configuration";
import { Hint, PlainList, Row, useLook } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";
import { Mark } from "./Check";
import { type Guide, type Purpose, toDraft, useGuide } from "./guide";
import { KeyPair, PublicKey } from "./KeyPair";
import { Pairing } from "./Pairing";
import { type Draft, FIELDS, ProviderForm } from "./ProviderForm";

const useStyles = makeStyles({
  title: { ...typographyStyles.subtitle2, margin: 0, outlineStyle: "none" },
});

interface SetUpProps {
  purpose: Purpose;
  configuration: Configuration;
  /** The earlier input; default the current settings, as far as they fit the purpose. */
  draft: Draft | undefined;
  /** Stores the input; undefined deletes it. */
  storeDraft: (draft: Draft | undefined) => void;
  /** Returns to the overview. */
  end: () => void;
}

/** Sets up a provider stage by stage; it can be left and resumed at any stage. */
export function SetUp(props: SetUpProps) {
  const { purpose, end } = props;
  const { session, texts } = usePane();
  const words = texts.ofSettings.setUp;
  const styles = useStyles();
  const look = useLook();
  const guide = useGuide(session, purpose);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const isPaired = guide.keys.status === "known";
  const isPairShown = !isPaired || purpose === "provider";
  const onPaired = () => {
    guide.load();
    title.current?.focus();
  };
  return (
    <section>
      <Row gap="XS" align="baseline" isSpread>
        <h2 ref={title} tabIndex={-1} className={styles.title}>
          {words.titles[purpose]}
        </h2>
        <Button size="small" onClick={end}>
          {words.back}
        </Button>
      </Row>
      <Hint>{words.backHint[purpose]}</Hint>
      <PlainList gap="L" className={look.aboveM} aria-label={words.titles[purpose]}>
        {isPairShown && (
          <Stage number={1} title={words.pair} hint={words.pairHint} status={isPaired ? "done" : "current"}>
            <PairStage guide={guide} onPaired={onPaired} />
          </Stage>
        )}
        <Rest {...props} guide={guide} isPaired={isPaired} before={isPairShown ? 1 : 0} />
      </PlainList>
    </section>
  );
}

function PairStage({ guide: { keys, load }, onPaired }: { guide: Guide; onPaired: () => void }) {
  const { session, texts } = usePane();
  switch (keys.status) {
    case "known":
      return null;
    case "loading":
      return <Spinner size="extra-tiny" aria-label={texts.running} />;
    case "unpaired":
      return <Pairing session={session} texts={texts} onPaired={onPaired} />;
    case "failed":
      return (
        <>
          <Reason error={keys.error} />
          <Button onClick={load}>{texts.ofSettings.access.again}</Button>
        </>
      );
  }
}

interface RestProps extends SetUpProps {
  guide: Guide;
  isPaired: boolean;
  /** Number of stages before these. */
  before: number;
}

/** The stages after pairing. */
function Rest(props: RestProps) {
  const { purpose, configuration, guide, isPaired, before } = props;
  const { texts } = usePane();
  const words = texts.ofSettings.setUp;
  const { chosen, usable, choose, add, fail } = guide;
  const { settable, clientId, keyId } = configuration;
  const isWithKey = purpose !== "change" && settable.includes("keyId");
  const isKeyThere = !isWithKey || chosen !== null;
  const toStatus = (isReady: boolean) => (isPaired && isReady ? "current" : "waiting");
  const client = purpose === "secondKey" ? { clientId, keyId } : null;
  return (
    <>
      {isWithKey && (
        <Stage
          number={before + 1}
          title={words.key}
          hint={words.keyHint}
          status={isPaired && isKeyThere ? "done" : toStatus(true)}
        >
          <KeyPair keys={usable} {...{ chosen, choose, add, fail }} />
        </Stage>
      )}
      {isWithKey && (
        <Stage number={before + 2} title={words.send} hint={words.sendHint} status={toStatus(isKeyThere)}>
          {chosen !== null && <PublicKey publicKey={chosen} client={client} />}
        </Stage>
      )}
      <Stage
        number={before + (isWithKey ? 3 : 1)}
        title={words.enter}
        hint={words.enterHint[purpose]}
        status={toStatus(isKeyThere)}
      >
        <Answer {...props} />
      </Stage>
    </>
  );
}

/** The last stage: the provider's answer, or the id of a second key. */
function Answer({ purpose, configuration, draft, storeDraft, end, guide }: RestProps) {
  const isSecond = purpose === "secondKey";
  const written = draft ?? toDraft(purpose, configuration);
  const save = async () => {
    await guide.save(written);
    storeDraft(undefined);
    end();
  };
  return (
    <ProviderForm
      fields={isSecond ? ["keyId"] : FIELDS}
      settable={configuration.settable}
      draft={written}
      setDraft={storeDraft}
      takenKeyId={isSecond ? configuration.keyId : undefined}
      save={save}
    />
  );
}

const useStageStyles = makeStyles({
  stage: { display: "grid", gridTemplateColumns: "20px 1fr", columnGap: tokens.spacingHorizontalS },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  waiting: { color: tokens.colorNeutralForeground3, fontWeight: tokens.fontWeightRegular },
  content: { gridColumn: 2, minWidth: 0 },
});

/** The status of a stage: finished, to do now, or to come. */
type StageStatus = "done" | "current" | "waiting";

interface StageProps {
  number: number;
  title: string;
  hint: string;
  status: StageStatus;
  /** The stage's content; a waiting stage shows none. */
  children: ReactNode;
}

/** A stage of setting up. */
function Stage({ number, title, hint, status, children }: StageProps) {
  const styles = useStageStyles();
  return (
    <li className={styles.stage} aria-current={status === "current" ? "step" : undefined}>
      <Mark status={status === "done" ? "done" : "waiting"} sign={String(number)} />
      <h3 className={mergeClasses(styles.title, status === "waiting" && styles.waiting)}>{title}</h3>
      {status !== "waiting" && (
        <div className={styles.content}>
          {status === "current" && <Hint block>{hint}</Hint>}
          {children}
        </div>
      )}
    </li>
  );
}
