import type { Session } from "./session";

/** Shows messages in Japanese from now on, and those in cells again. They stay English without the script. */
export async function adoptJapanese(session: Pick<Session, "calls">): Promise<void> {
  const script = await import(/* webpackChunkName: "japanese" */ "./japanese/adopting").catch(() => null);
  script?.showJapanese(session);
}
