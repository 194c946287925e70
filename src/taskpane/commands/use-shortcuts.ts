import { useEffect, useState } from "react";
import { readShortcuts, type Shortcuts } from "./office";

/** The keys by command, read when a component appears; empty until then. */
export function useShortcuts(): Shortcuts {
  const [shortcuts, setShortcuts] = useState<Shortcuts>({});
  useEffect(() => {
    let isCurrent = true;
    void readShortcuts().then((read) => isCurrent && setShortcuts(read));
    return () => {
      isCurrent = false;
    };
  }, []);
  return shortcuts;
}
