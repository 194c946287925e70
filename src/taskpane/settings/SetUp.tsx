import {
  Body1,
  Button,
  Field,
  makeStyles,
  mergeClasses,
  Select,
  Spinner,
  tokens,
  typographyStyles,
} from "@fluentui/react-components";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { Configuration } from "../../client/configuration";
import { needsPairing } from "../../client/errors";
import type { Session } from "../../session/session";
import type { CompanionKey } from "../../session/set-up";
import { Fold } from "../Fold";
import { BusyButton, Hint, PlainList, Row, useLook } from "../layout";
import { useCopy, usePane } from "../pane";
import { Failure, Reason } from "../Reason";
import { TextArea } from "../TextArea";
import type { Texts } from "../texts";
import { Mark } from "./Diagnostics";
import { Pairing } from "./Pairing";
import { type Draft, FIELDS, ProviderForm } from "./ProviderForm";

const useStyles = makeStyles({
  title: { ...typographyStyles.subtitle2, margin: 0, outlineStyle: "none" },
  stage: { display: "grid", gridTemplateColumns: "20px 1fr", columnGap: tokens.spacingHorizontalS },
  stageTitle: {
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  waiting: { color: tokens.colorNeutralForeground3, fontWeight: tokens.fontWeightRegular },
  content: { gridColumn: 2, minWidth: 0 },
  text: { height: "9em", marginTop: tokens.spacingVerticalXS },
  another: { marginTop: tokens.spacingVerticalXS, minWidth: 0, paddingLeft: 0, paddingRight: 0 },
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
  const styles = useStyles();
  return (
    <li className={styles.stage} aria-current={status === "current" ? "step" : undefined}>
      <Mark status={status === "done" ? "done" : "waiting"} sign={String(number)} />
      <h3 className={mergeClasses(styles.stageTitle, status === "waiting" && styles.waiting)}>{title}</h3>
      {status !== "waiting" && (
        <div className={styles.content}>
          {status === "current" && <Hint block>{hint}</Hint>}
          {children}
        </div>
      )}
    </li>
  );
}

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
function KeyPair({ keys, chosen, choose, add, fail }: KeyPairProps) {
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
function PublicKey({ publicKey, client }: PublicKeyProps) {
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

/** The purpose of a set-up: a provider, changed settings, or a second key for the same client. */
export type Purpose = "provider" | "change" | "secondKey";

/** The state and actions of the set-up's stages. */
interface Guide {
  keys: Keys;
  load: () => void;
  /** The keys that serve the purpose, the newest first. */
  usable: readonly CompanionKey[];
  chosen: CompanionKey | null;
  choose: (thumbprint: string) => void;
  /** Receives a new key. */
  add: (key: CompanionKey) => void;
  /** Receives an error; the page may no longer be paired. */
  fail: (error: unknown) => void;
  /** Applies a draft. @throws SignerError, RequestError in the companion's words */
  save: (draft: Draft) => Promise<void>;
}

function useGuide(session: Session, purpose: Purpose): Guide {
  const { keys, load, learn } = useKeys(session);
  const [wanted, choose] = useState<string | null>(null);
  const known = keys.status === "known" ? keys.keys : [];
  const usable = known.filter(({ use }) => purpose !== "secondKey" || use === "unused");
  const chosen = usable.find(({ thumbprint }) => thumbprint === wanted) ?? usable[0] ?? null;
  // A key that was made elsewhere is not listed, and the companion goes on using it.
  const signing = purpose === "change" ? known.find(({ use }) => use === "signing") : chosen;
  const fail = (error: unknown) => {
    const said = toKeys(error);
    if (said.status === "unpaired") learn(said);
  };
  return {
    keys,
    load,
    usable,
    chosen,
    choose,
    add(key) {
      learn({ status: "known", keys: [{ ...key, use: "unused" }, ...known] });
      choose(key.thumbprint);
    },
    fail,
    async save(draft) {
      try {
        await (await session.setUp()).change({ ...draft, ...(signing && { thumbprint: signing.thumbprint }) });
      } catch (error) {
        fail(error);
        throw error;
      }
    },
  };
}

/** The form's first texts. */
function toDraft(purpose: Purpose, { baseUrl, clientId, keyId }: Configuration): Draft {
  if (purpose === "provider") return { baseUrl: "", clientId: "", keyId: "" };
  return { baseUrl, clientId, keyId: purpose === "change" ? keyId : "" };
}

/** The companion's keys, which only a paired page can list. */
type Keys =
  | { status: "loading" | "unpaired" }
  | { status: "known"; keys: readonly CompanionKey[] }
  | { status: "failed"; error: unknown };

/** The companion's keys, loaded on mount; `learn` applies another answer. */
function useKeys(session: Session): { keys: Keys; load: () => void; learn: (keys: Keys) => void } {
  const [keys, learn] = useState<Keys>({ status: "loading" });
  const load = useCallback(() => {
    learn({ status: "loading" });
    void loadKeys(session).then(learn);
  }, [session]);
  useEffect(load, [load]);
  return { keys, load, learn };
}

async function loadKeys(session: Session): Promise<Keys> {
  if (["none", "wanted"].includes(session.pairing())) return { status: "unpaired" };
  try {
    return { status: "known", keys: await (await session.setUp()).listKeys() };
  } catch (error) {
    return toKeys(error);
  }
}

/** Reads an error of listing keys: the page needs pairing, or the request failed. */
const toKeys = (error: unknown): Keys => (needsPairing(error) ? { status: "unpaired" } : { status: "failed", error });
