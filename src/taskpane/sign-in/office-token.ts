import { createNestablePublicClientApplication, InteractionRequiredAuthError } from "@azure/msal-browser";
import type { NestedSignIn } from "../../session/sign-in";

/**
 * Returns a token of the person's Office account, which this page does not store; null where the
 * person must be prompted first.
 *
 * @param isInteractive whether Office may prompt the person
 * @throws AuthError of Microsoft's library, which may quote what Office says
 */
export async function loadOfficeToken({ clientId, authority, scopes }: NestedSignIn, isInteractive: boolean) {
  const application = await createNestablePublicClientApplication({
    auth: { clientId, authority },
    cache: { cacheLocation: "memoryStorage" },
  });
  const request = { scopes: [...scopes], authority };
  try {
    return (await application.acquireTokenSilent(request)).accessToken;
  } catch (error) {
    // Where Office does not answer, the library would open a window of its own, which fails here.
    if (!(error instanceof InteractionRequiredAuthError)) throw error;
    return isInteractive ? (await application.acquireTokenPopup(request)).accessToken : null;
  }
}
