import { useEffect, useState } from "react";
import { readText } from "../../feed/decode";
import { usePane } from "../pane";

/** A company that fits what was written. */
export interface Match {
  id: string;
  name: string;
  /** What tells it from others of the name. */
  code: string;
}

/** What the index of names knows of a text. */
export interface Matches {
  status: "idle" | "searching" | "found" | "nobody" | "unready";
  found: readonly Match[];
}

const IDLE: Matches = { status: "idle", found: [] };
const MOST = 8;
const PAUSE_MS = 200;

/** Looks for companies by name once writing has paused; an empty text looks for nobody. */
export function useMatches(text: string): Matches {
  const { session } = usePane();
  const [matches, setMatches] = useState(IDLE);
  useEffect(() => {
    if (text === "") return setMatches(IDLE);
    setMatches(({ found }) => ({ status: "searching", found }));
    let stop = session.ports.after(PAUSE_MS, () => {
      const question = session.feed.names.ask(text, session.settings.country, MOST);
      stop = session.feed.watch.watch(question, (state) => {
        if (state.status === "failed") setMatches({ status: isNobody(state.error) ? "nobody" : "unready", found: [] });
        if (state.status === "answered") setMatches({ status: "found", found: state.answer.value.rows.map(toMatch) });
      });
    });
    return () => stop();
  }, [session, text]);
  return matches;
}

const isNobody = (error: unknown): boolean => (error as { code?: unknown }).code === "FEED_NO_VALUE";

const toMatch = (row: Readonly<Record<string, unknown>>): Match => ({
  id: readText(row.companyId) ?? "",
  name: readText(row.companyName) ?? readText(row.companyEnglishName) ?? readText(row.companyFormalName) ?? "",
  code: readText(row.tickerSymbol) ?? readText(row.registrationNumber) ?? "",
});
