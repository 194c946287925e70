import { NoValueError } from "../client/errors";
import { msg } from "../client/messages";
import { SAMPLE, toProvider } from "../client/owner";
import type { Slot } from "../client/slot";

/** Prevents figures of two providers in one workbook. */
export interface ProviderCheck {
  /** Sets the provider of the workbook's figures; null while there are none. */
  expect(provider: string | null): void;
  /** Null where a query may load at once. @throws NoValueError (FEED_CONFIRM_NEEDED) at another provider */
  check(): Promise<void> | null;
}

/** @param onRefused called with a provider that is not the expected one */
export function createProviderCheck(owner: Slot<string>, onRefused: (provider: string) => void): ProviderCheck {
  let expected: string | null = null;
  return {
    expect(provider) {
      expected = provider;
    },
    check() {
      const known = owner.peek();
      if (expected === null || (known !== null && toProvider(known) === expected)) return null;
      return owner.get().then((found) => {
        const provider = toProvider(found);
        if (expected === null || provider === expected) return;
        onRefused(provider);
        throw toForeign(expected, provider);
      });
    },
  };
}

function toForeign(expected: string, provider: string): NoValueError {
  const [from, to] = [expected, provider].map(toName);
  const text = msg`this workbook's figures are from ${from}; confirm in the FEED pane to fill it from ${to}`;
  return new NoValueError("FEED_CONFIRM_NEEDED", text);
}

const toName = (provider: string): unknown =>
  provider === SAMPLE ? msg`sample data` : provider.replace(/^https?:\/\//, "");
