import { makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { PAIRING_STORAGE_KEY } from "../../contract/companion-api";
import type { Session } from "../../session/session";
import { takeFocus } from "../focus";
import type { Texts } from "../texts";
import { CodeForm, type CodeFormProps, usePairingRequest } from "./CodeForm";

const useStyles = makeStyles({
  part: { marginBottom: tokens.spacingVerticalM },
  command: { fontFamily: tokens.fontFamilyMonospace, whiteSpace: "nowrap" },
});

interface PairingProps {
  session: Session;
  texts: Texts;
  /** Is called when the page is paired, for this part then goes. */
  onPaired: () => void;
}

/** Makes the page known to the companion: by its terminal's code, or by signing the person in where the companion wants that. */
export function Pairing({ session, texts, onPaired }: PairingProps) {
  const styles = useStyles();
  const Way = useWay(session);
  useEffect(() => onPairedElsewhere(() => void session.connect()), [session]);
  return (
    <div className={styles.part}>
      {Way === null ? (
        <Spinner size="extra-tiny" aria-label={texts.running} />
      ) : (
        <Way session={session} texts={texts} onPaired={onPaired} />
      )}
    </div>
  );
}

type Way = (props: PairingProps) => ReactElement;

/** How the companion knows pages, as soon as it has told; a page that cannot ask it has the code of the terminal at least. */
function useWay(session: Session): Way | null {
  const [way, setWay] = useState<Way | null>(null);
  useEffect(() => {
    let isGone = false;
    const take = (found: Way) => !isGone && setWay(() => found);
    loadWay(session).then(take, () => take(ByTerminal));
    return () => {
      isGone = true;
    };
  }, [session]);
  return way;
}

/** Most pages are paired already, or never need to be: what asks is a script of its own. */
async function loadWay(session: Session): Promise<Way> {
  const { loadSignIn } = await import(/* webpackChunkName: "sign-in" */ "../sign-in/SignIn");
  return (await loadSignIn(session)) ?? ByTerminal;
}

/** Asks for the code that the companion's terminal prints. */
function ByTerminal(props: Pick<CodeFormProps, "session" | "texts" | "onPaired">) {
  const { texts } = props;
  const field = useRef<HTMLInputElement>(null);
  const request = usePairingRequest(props.session);
  useEffect(() => takeFocus(field.current), []);
  const hint = <Hint texts={texts} name={request.known?.name} />;
  return <CodeForm {...props} request={request} field={field} hint={hint} refused={texts.codeRefused} />;
}

/** @param name By which the terminal knows this page, as soon as that is told. */
function Hint({ texts, name = "" }: { texts: Texts; name?: string | undefined }) {
  const styles = useStyles();
  return (
    <>
      {texts.pairingHint} <code className={styles.command}>{`npm run companion -- pair ${name}`.trim()}</code>
    </>
  );
}

/** Browsers tell of what another window of the origin keeps. */
function onPairedElsewhere(notify: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === PAIRING_STORAGE_KEY && newValue !== null) notify();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}
