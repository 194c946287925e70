import { makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { type ReactElement, useCallback, useEffect, useRef } from "react";
import { PAIRING_STORAGE_KEY } from "../../contract/companion-api";
import { readPartition } from "../../session/pairing";
import type { Session } from "../../session/session";
import { takeFocus } from "../focus";
import { isOnTheWeb, isOwnCompanion } from "../host";
import { useLook } from "../layout";
import { useLoaded } from "../query";
import type { Texts } from "../texts";
import { CodeForm, type CodeFormProps, usePairingRequest } from "./CodeForm";

const useStyles = makeStyles({
  site: { margin: `${tokens.spacingVerticalS} 0 0` },
  command: { fontFamily: tokens.fontFamilyMonospace, whiteSpace: "nowrap" },
});

interface PairingProps {
  session: Session;
  texts: Texts;
  /** Called when the page is paired, which unmounts this part. */
  onPaired: () => void;
}

/** Pairs the page by the terminal's code, or by a sign-in where the companion requires one. */
export function Pairing({ session, texts, onPaired }: PairingProps) {
  const styles = useStyles();
  const look = useLook();
  const Way = useWay(session);
  useEffect(() => onPairedElsewhere(() => void session.connect()), [session]);
  return (
    <div className={look.belowM}>
      {Way === null ? (
        <Spinner size="extra-tiny" aria-label={texts.running} />
      ) : (
        <Way session={session} texts={texts} onPaired={onPaired} />
      )}
      {isOnTheWeb() && <p className={styles.site}>{texts.ofSettings.eachSite}</p>}
    </div>
  );
}

type Way = (props: PairingProps) => ReactElement;

/** The companion's way of pairing; null while it loads. The terminal's code is the fallback. */
const useWay = (session: Session): Way | null =>
  useLoaded(useCallback(() => loadWay(session).catch(() => ByTerminal), [session]));

/** The sign-in is a script of its own, since most pages are paired already. */
async function loadWay(session: Session): Promise<Way> {
  const { loadSignIn } = await import(/* webpackChunkName: "sign-in" */ "../sign-in/SignIn");
  return (await loadSignIn(session)) ?? ByTerminal;
}

/** Pairs by the code that the companion's terminal prints. */
function ByTerminal(props: Pick<CodeFormProps, "session" | "texts" | "onPaired">) {
  const { texts } = props;
  const field = useRef<HTMLInputElement>(null);
  const request = usePairingRequest(props.session);
  useEffect(() => takeFocus(field.current), []);
  const isOwn = isOwnCompanion(location.origin);
  const hint = isOwn ? <Hint texts={texts} command={request.known?.command} /> : texts.pairingHintElsewhere;
  const refused = isOwn ? texts.codeRefused : texts.codeRefusedElsewhere;
  return <CodeForm {...props} {...{ request, field, hint, refused }} />;
}

/** @param command what to type at the companion's terminal, once it is known */
function Hint({ texts, command }: { texts: Texts; command?: string | undefined }) {
  const styles = useStyles();
  return (
    <>
      {texts.pairingHint} <code className={styles.command}>{command}</code>
    </>
  );
}

/** Calls back when another window of the origin stores a pairing. */
function onPairedElsewhere(notify: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === readPartition() + PAIRING_STORAGE_KEY && newValue !== null) notify();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}
