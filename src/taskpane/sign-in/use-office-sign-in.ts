import { useCallback, useEffect, useRef, useState } from "react";
import type { Session } from "../../session/session";
import { type NestedSignIn, signIn } from "../../session/sign-in";

/** How signing in by Office stands: over is for those whose Office has no such thing, who want the browser, or for whom it failed. */
type OfficeSignIn = { status: "ready" | "running" } | { status: "over"; error: unknown };

const READY: OfficeSignIn = { status: "ready" };
const RUNNING: OfficeSignIn = { status: "running" };
const OVER: OfficeSignIn = { status: "over", error: null };

/** A companion that ends what it has just begun would have the pane sign in for ever. */
const SILENT_EVERY_MS = 60_000;

const lastSilentAtMs = new WeakMap<Session, number>();

/** Signs the person in by Office: at once where Office need not ask them, else when they begin it. */
export function useOfficeSignIn(session: Session, nested: NestedSignIn | null, onPaired: () => void) {
  const [state, setState] = useState<OfficeSignIn>(() => {
    if (nested === null || !hasOfficeSignIn()) return OVER;
    return isSilentDue(session) ? RUNNING : READY;
  });
  const hasLeft = useRef(state === OVER);
  const attempt = useCallback(
    async (isAsked: boolean) => {
      if (nested === null || hasLeft.current) return;
      setState(RUNNING);
      const outcome = await attemptSignIn(session, nested, isAsked);
      if (!hasLeft.current) setState(outcome);
      if (isAsked && session.state().status === "connected") onPaired();
    },
    [session, nested, onPaired],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that a sign-in is wanted
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

/** Tries once; what Microsoft's library says of a failure is for nobody's eyes, since it may quote a token. */
async function attemptSignIn(session: Session, nested: NestedSignIn, isAsked: boolean): Promise<OfficeSignIn> {
  try {
    // A firm with accounts of Microsoft's alone needs it, in an Office that can do it.
    const { loadOfficeToken } = await import(/* webpackChunkName: "office-token" */ "./office-token");
    const token = await loadOfficeToken(nested, isAsked);
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
