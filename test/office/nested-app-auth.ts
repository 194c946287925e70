/** The answer to a token request: a token, or the status that says why there is none. */
type TokenAnswer = { token: string } | { status: "USER_INTERACTION_REQUIRED" | "USER_CANCEL" | "PERSISTENT_ERROR" };

/** The host's side of nested app authentication: Office issues tokens of the account it runs under. */
export interface NestedAppAuth {
  /** Requests of the page's library, oldest first; the person sees a "GetTokenPopup". */
  requests: { method: string; tokenParams?: { clientId: string; authority: string; scope: string } }[];
  /** The answers without and with a dialog. */
  silent: TokenAnswer;
  popup: TokenAnswer;
  /** Answers a message of the page's library. */
  answer(text: string): Promise<string>;
}

declare global {
  interface Window {
    sendToOffice(text: string): Promise<string>;
    nestedAppAuthBridge?: object;
  }
}

const ACCOUNT = {
  environment: "login.microsoftonline.com",
  homeAccountId: "ada.firm",
  localAccountId: "ada",
  tenantId: "firm",
  username: "ada@example.com",
};

export function createNestedAppAuth(): NestedAppAuth {
  const host: NestedAppAuth = {
    requests: [],
    silent: { status: "USER_INTERACTION_REQUIRED" },
    popup: { status: "USER_CANCEL" },
    async answer(text) {
      const { requestId, method, tokenParams } = JSON.parse(text);
      host.requests.push({ method, tokenParams });
      const answer = { messageType: "NestedAppAuthResponse", requestId };
      if (method === "GetInitContext") {
        const initContext = { sdkName: "Office", sdkVersion: "1", capabilities: { queryAccount: true } };
        return JSON.stringify({ ...answer, success: true, initContext });
      }
      const given = method === "GetTokenPopup" ? host.popup : host.silent;
      if ("status" in given) {
        const error = { status: given.status, code: "refused", description: `Office says ${given.status}` };
        return JSON.stringify({ ...answer, success: false, error });
      }
      const token = { access_token: given.token, id_token: toIdToken(), expires_in: 3600, scope: tokenParams.scope };
      return JSON.stringify({ ...answer, success: true, token, account: ACCOUNT });
    },
  };
  return host;
}

/** Installs the page's side of the bridge. Refers to nothing outside itself: its text also runs in a browser's page. */
export function installBridge(): void {
  const listeners: ((text: string) => void)[] = [];
  window.nestedAppAuthBridge = {
    addEventListener: (_name: string, listener: (text: string) => void) => void listeners.push(listener),
    removeEventListener: () => {},
    postMessage: (text: string) =>
      void window.sendToOffice(text).then((answer) => {
        for (const listener of listeners) listener(answer);
      }),
  };
}

/** An ID token without a valid signature: the library reads the account from it and verifies nothing. */
function toIdToken(): string {
  const claims = { oid: ACCOUNT.localAccountId, tid: ACCOUNT.tenantId, preferred_username: ACCOUNT.username };
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `${parts.join(".")}.c2lnbmF0dXJl`;
}
