import { useEffect, useState } from "react";
import { runInSlices, type Steps } from "./slices";

/**
 * The result of work in slices: null before the first, and the former one until the next is there.
 *
 * @param begin begins the work; another function begins it anew, and null forgets the result
 */
export function useSlices<Result>(begin: (() => Steps<Result>) | null): Result | null {
  const [state, setState] = useState<{ result: Result } | null>(null);
  useEffect(() => {
    if (begin === null) setState(null);
    else return runInSlices(begin(), (result) => setState({ result }));
  }, [begin]);
  return begin === null ? null : (state?.result ?? null);
}
