import { createNestablePublicClientApplication, InteractionRequiredAuthError } from "@azure/msal-browser";
import type { NestedSignIn } from "../../session/sign-in";

/**
 * Has Office give a token of the account that the person uses in it, which this page keeps nowhere; null where the
 * person is to be asked first.
 *
 * @param isInteractive whether Office may ask the person
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
    // Where Office does not answer for itself, the library would open a window of its own: that fails here, without a person.
    if (!(error instanceof InteractionRequiredAuthError)) throw error;
    return isInteractive ? (await application.acquireTokenPopup(request)).accessToken : null;
  }
}
