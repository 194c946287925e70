import { setTimeout as wait } from "node:timers/promises";
import { type Finding, fail, pass } from "../companion/commands/results";
import type { Network } from "../companion/network";
import type { Firm } from "./configuration";
import { createIdentityProvider } from "./sign-in/identity-provider";

const STORE_WAIT_MS = 5000;

/** Checks that the store and the identity provider of a firm answer, where they are set. */
export async function checkFirm({ store, signIn }: Firm, network: Network): Promise<Finding[]> {
  return [
    ...(store === undefined ? [] : [await checkStore(store)]),
    ...(signIn === undefined ? [] : [await checkIssuer(signIn.issuer, network)]),
  ];
}

async function checkStore(url: string): Promise<Finding> {
  // Loaded on demand: most companions have no server.
  const { createRedisStores } = await import("./stores/redis");
  const stores = createRedisStores(url, { log: () => {} });
  try {
    const late = wait(STORE_WAIT_MS, false, { ref: false });
    if ((await Promise.race([stores.join(), late])) === false)
      return fail("The server of FEED_STORE does not answer: see whether it runs, and check its address and password.");
    return pass("The server of FEED_STORE answers.");
  } catch (error) {
    return fail((error as Error).message);
  } finally {
    await stores.close();
  }
}

async function checkIssuer(issuer: string, network: Network): Promise<Finding> {
  const provider = createIdentityProvider(issuer, network);
  try {
    await provider.discover();
    return pass("The identity provider of FEED_SIGN_IN_ISSUER answers.");
  } catch (error) {
    return fail((error as Error).message);
  } finally {
    await provider.close();
  }
}
