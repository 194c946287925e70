import { useEffect, useState } from "react";

/**
 * A script of its own, which loads with the first component that wants it; null until it has come. Without it, the
 * component does without: the next opening loads it again.
 *
 * @param load imports it; the same function each time
 */
export function useLazy<T>(load: () => Promise<T>): T | null {
  const [loaded, setLoaded] = useState<{ script: T } | null>(null);
  useEffect(() => {
    let isGone = false;
    load().then(
      (script) => isGone || setLoaded({ script }),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  return loaded?.script ?? null;
}
