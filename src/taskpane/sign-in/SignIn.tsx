import { Body1, Button } from "@fluentui/react-components";
import { useCallback, useEffect, useRef, useState } from "react";
import { FeedError } from "../../client/errors";
import type { Session } from "../../session/session";
import { findSignIn, type NestedSignIn, type SignInWays, signIn } from "../../session/sign-in";
import { browse } from "../commands/office";
import { takeFocus } from "../focus";
import { BusyButton, Message, Row, Stack, useLook } from "../layout";
import { Reason } from "../Reason";
import { CodeForm, type CodeFormProps, usePairingRequest } from "../settings/CodeForm";
import { signInTexts } from "../texts/sign-in";

interface SignInProps extends Pick<CodeFormProps, "session" | "texts" | "onPaired"> {
  ways: SignInWays;
}

/** Loads the sign-in component; null where the companion has no sign-in. @throws as {@link findSignIn} */
export async function loadSignIn(session: Session) {
  const ways = await findSignIn(session);
  return ways && ((props: Omit<SignInProps, "ways">) => <SignIn {...props} ways={ways} />);
}

/** Signs a person in by Office where possible, else by a page that shows a code. */
function SignIn({ ways, ...props }: SignInProps) {
  const { state, begin, leave } = useOfficeSignIn(props.session, ways.nested, props.onPaired);
  if (state.status === "over") return <ByBrowser {...props} page={ways.page} error={state.error} />;
  return <ByOffice {...props} isRunning={state.status === "running"} begin={begin} leave={leave} />;
}

interface ByOfficeProps extends Pick<SignInProps, "texts"> {
  isRunning: boolean;
  begin: () => void;
  /** Continues with the browser. */
  leave: () => void;
}

function ByOffice({ texts, isRunning, begin, leave }: ByOfficeProps) {
  const words = signInTexts[texts.language];
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isRunning) takeFocus(first.current); // a silent sign-in takes no focus
  }, [isRunning]);
  return (
    <Stack gap="M" className={useLook().belowM}>
      <Body1 role="status">{isRunning ? words.signingIn : words.byOffice}</Body1>
      <Row>
        <BusyButton ref={first} appearance="primary" isBusy={isRunning} onClick={begin}>
          {words.signIn}
        </BusyButton>
        <Button onClick={leave}>{words.inBrowser}</Button>
      </Row>
    </Stack>
  );
}

interface ByBrowserProps extends Omit<SignInProps, "ways"> {
  /** Address of the page that shows a code. */
  page: string;
  /** Why Office did not sign the person in; null where it did not try. */
  error: unknown;
}

function ByBrowser({ page, error, session, texts, onPaired }: ByBrowserProps) {
  const words = signInTexts[texts.language];
  const first = useRef<HTMLAnchorElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const request = usePairingRequest(session);
  const own = request.known && `${page}?pane=${request.known.page}`;
  useEffect(() => takeFocus(first.current), []);
  const open = (event: { preventDefault(): void }) => {
    if (own === null) void request.load().catch(() => undefined); // a code would belong to no request yet
    if (own === null || browse(own)) event.preventDefault();
    field.current?.focus(); // for the code from the browser
  };
  return (
    <Stack gap="M" className={useLook().belowM}>
      {error === null ? <Body1>{words.byBrowser}</Body1> : <Failure error={error} texts={texts} />}
      <Row>
        <Button
          as="a"
          ref={first}
          appearance="primary"
          href={own ?? page}
          target="_blank"
          rel="noopener"
          onClick={open}
        >
          {words.signIn}
        </Button>
      </Row>
      <CodeForm {...{ session, texts, onPaired, field, request }} hint={words.codeHint} refused={words.codeRefused} />
    </Stack>
  );
}

/** The failure of the sign-in by Office, with the companion's reason where there is one. */
function Failure({ error, texts }: { error: unknown; texts: SignInProps["texts"] }) {
  const words = signInTexts[texts.language];
  const isOfCompanion = error instanceof FeedError;
  return (
    <Message intent="warning" role="alert">
      {isOfCompanion ? words.refused : words.notByOffice}
      {isOfCompanion && <Reason error={error} />}
    </Message>
  );
}

/** The state of the sign-in by Office; "over" where Office has none, it failed, or the person prefers the browser. */
type OfficeSignIn = { status: "ready" | "running" } | { status: "over"; error: unknown };

const READY: OfficeSignIn = { status: "ready" };
const RUNNING: OfficeSignIn = { status: "running" };
const OVER: OfficeSignIn = { status: "over", error: null };

/** Limits silent sign-ins, since a companion that ends each session would cause an endless loop. */
const SILENT_EVERY_MS = 60_000;

const lastSilentAtMs = new WeakMap<Session, number>();

/** Signs the person in by Office: silently where possible, else on request. */
export function useOfficeSignIn(session: Session, nested: NestedSignIn | null, onPaired: () => void) {
  const [state, setState] = useState<OfficeSignIn>(() => {
    if (nested === null || !hasOfficeSignIn()) return OVER;
    return isSilentDue(session) ? RUNNING : READY;
  });
  const hasLeft = useRef(state === OVER);
  const attempt = useCallback(
    async (isInteractive: boolean) => {
      if (nested === null || hasLeft.current) return;
      setState(RUNNING);
      const outcome = await attemptSignIn(session, nested, isInteractive);
      if (!hasLeft.current) setState(outcome);
      if (isInteractive && session.state().status === "connected") onPaired();
    },
    [session, nested, onPaired],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per mount
  useEffect(() => {
    if (state !== RUNNING || !isSilentDue(session)) return;
    lastSilentAtMs.set(session, session.ports.nowMs());
    void attempt(false);
  }, []);
  return {
    state,
    begin: () => void attempt(true),
    leave() {
      hasLeft.current = true;
      setState(OVER);
    },
  };
}

/** Tries once; a failure of Microsoft's library is not shown, since it may quote a token. */
async function attemptSignIn(session: Session, nested: NestedSignIn, isInteractive: boolean): Promise<OfficeSignIn> {
  try {
    // Loaded only here: few Offices support it, and only firms with Microsoft accounts need it.
    const { loadOfficeToken } = await import(/* webpackChunkName: "office-token" */ "./office-token");
    const token = await loadOfficeToken(nested, isInteractive);
    if (token !== null) await session.pair(await signIn(session, token));
    return READY;
  } catch (error) {
    return { status: "over", error };
  }
}

const isSilentDue = (session: Session): boolean =>
  session.ports.nowMs() - (lastSilentAtMs.get(session) ?? Number.NEGATIVE_INFINITY) >= SILENT_EVERY_MS;

function hasOfficeSignIn(): boolean {
  return typeof Office !== "undefined" && Office.context.requirements.isSetSupported("NestedAppAuth", "1.1");
}
