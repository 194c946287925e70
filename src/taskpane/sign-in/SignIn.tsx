import { Body1, Button, MessageBar, MessageBarBody, makeStyles, Spinner, tokens } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { FeedError } from "../../client/errors";
import type { Session } from "../../session/session";
import { findSignIn, type SignInWays } from "../../session/sign-in";
import { browse } from "../commands/office";
import { CodeForm, type CodeFormProps } from "../connect/CodeForm";
import { usePairingRequest } from "../connect/use-pairing-request";
import { takeFocus } from "../focus";
import { Reason } from "../Reason";
import { signInTexts } from "../texts/sign-in";
import { useOfficeSignIn } from "./use-office-sign-in";

const useStyles = makeStyles({
  part: { display: "grid", rowGap: tokens.spacingVerticalM, marginBottom: tokens.spacingVerticalM },
  buttons: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

interface SignInProps extends Pick<CodeFormProps, "session" | "texts" | "onPaired"> {
  ways: SignInWays;
}

/** Gives what signs people in at the companion; null where it knows pages alone. @throws as {@link findSignIn} */
export async function loadSignIn(session: Session) {
  const ways = await findSignIn(session);
  return ways && ((props: Omit<SignInProps, "ways">) => <SignIn {...props} ways={ways} />);
}

/** Signs a person in, by Office where it can, else by the page that shows a code. */
function SignIn({ ways, ...props }: SignInProps) {
  const { state, begin, leave } = useOfficeSignIn(props.session, ways.nested, props.onPaired);
  if (state.status === "over") return <ByBrowser {...props} page={ways.page} error={state.error} />;
  return <ByOffice {...props} isRunning={state.status === "running"} begin={begin} leave={leave} />;
}

interface ByOfficeProps extends Pick<SignInProps, "texts"> {
  isRunning: boolean;
  begin: () => void;
  /** Has the person sign in by the browser. */
  leave: () => void;
}

function ByOffice({ texts, isRunning, begin, leave }: ByOfficeProps) {
  const styles = useStyles();
  const words = signInTexts[texts.language];
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isRunning) takeFocus(first.current); // whoever need not be asked goes on with what they do
  }, [isRunning]);
  return (
    <div className={styles.part}>
      <Body1 role="status">{isRunning ? words.signingIn : words.byOffice}</Body1>
      <div className={styles.buttons}>
        <Button
          ref={first}
          appearance="primary"
          disabledFocusable={isRunning}
          icon={isRunning ? <Spinner size="extra-tiny" aria-hidden /> : undefined}
          onClick={begin}
        >
          {words.signIn}
        </Button>
        <Button onClick={leave}>{words.inBrowser}</Button>
      </div>
    </div>
  );
}

interface ByBrowserProps extends Omit<SignInProps, "ways"> {
  /** Address of the page that shows a code. */
  page: string;
  /** Why Office did not sign the person in; null where it was not asked. */
  error: unknown;
}

function ByBrowser({ page, error, session, texts, onPaired }: ByBrowserProps) {
  const styles = useStyles();
  const words = signInTexts[texts.language];
  const first = useRef<HTMLAnchorElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const request = usePairingRequest(session);
  const own = request.known && `${page}?pane=${request.known.page}`;
  useEffect(() => takeFocus(first.current), []);
  const open = (event: { preventDefault(): void }) => {
    if (own === null) void request.load().catch(() => undefined); // a code would be nobody's yet
    if (own === null || browse(own)) event.preventDefault();
    field.current?.focus(); // where whoever comes back with the code goes on
  };
  return (
    <div className={styles.part}>
      {error === null ? <Body1>{words.byBrowser}</Body1> : <Failure error={error} texts={texts} />}
      <div className={styles.buttons}>
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
      </div>
      <CodeForm {...{ session, texts, onPaired, field, request }} hint={words.codeHint} refused={words.codeRefused} />
    </div>
  );
}

/** Why Office did not sign somebody in, as far as it is the companion that says so. */
function Failure({ error, texts }: { error: unknown; texts: SignInProps["texts"] }) {
  const words = signInTexts[texts.language];
  const isOfCompanion = error instanceof FeedError;
  return (
    <MessageBar intent="warning" layout="multiline" role="alert">
      <MessageBarBody>
        {isOfCompanion ? words.refused : words.notByOffice}
        {isOfCompanion && <Reason error={error} texts={texts} />}
      </MessageBarBody>
    </MessageBar>
  );
}
