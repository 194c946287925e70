/** What Office says when it is asked for a token: one, or the status that stands for why not. */
export type OfficeSays =
  | { token: string }
  | { status: "USER_INTERACTION_REQUIRED" | "USER_CANCEL" | "PERSISTENT_ERROR" };

/** An Office that gives tokens of the account that it runs under (nested app authentication), as the host's side of its bridge. */
export interface NestedHost {
  /** What it was asked, oldest first; a "GetTokenPopup" is one that the person sees. */
  asked: { method: string; tokenParams?: { clientId: string; authority: string; scope: string } }[];
  /** What it says without the person, and with them. */
  silent: OfficeSays;
  popup: OfficeSays;
  /** Answers a message of the page's library. */
  answer(text: string): Promise<string>;
}

declare global {
  interface Window {
    askOffice(text: string): Promise<string>;
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

export function createNestedHost(): NestedHost {
  const host: NestedHost = {
    asked: [],
    silent: { status: "USER_INTERACTION_REQUIRED" },
    popup: { status: "USER_CANCEL" },
    async answer(text) {
      const { requestId, method, tokenParams } = JSON.parse(text);
      host.asked.push({ method, tokenParams });
      const answer = { messageType: "NestedAppAuthResponse", requestId };
      if (method === "GetInitContext") {
        const initContext = { sdkName: "Office", sdkVersion: "1", capabilities: { queryAccount: true } };
        return JSON.stringify({ ...answer, success: true, initContext });
      }
      const says = method === "GetTokenPopup" ? host.popup : host.silent;
      if ("status" in says) {
        const error = { status: says.status, code: "refused", description: `Office says ${says.status}` };
        return JSON.stringify({ ...answer, success: false, error });
      }
      const token = { access_token: says.token, id_token: toIdToken(), expires_in: 3600, scope: tokenParams.scope };
      return JSON.stringify({ ...answer, success: true, token, account: ACCOUNT });
    },
  };
  return host;
}

/** The page's side of the bridge, as Office puts it there; its text runs in a browser's page as well. */
export function installBridge(): void {
  const listeners: ((text: string) => void)[] = [];
  window.nestedAppAuthBridge = {
    addEventListener: (_name: string, listener: (text: string) => void) => void listeners.push(listener),
    removeEventListener: () => {},
    postMessage: (text: string) =>
      void window.askOffice(text).then((answer) => {
        for (const listener of listeners) listener(answer);
      }),
  };
}

/** Nobody checks it: it tells the library alone whose token came. */
function toIdToken(): string {
  const claims = { oid: ACCOUNT.localAccountId, tid: ACCOUNT.tenantId, preferred_username: ACCOUNT.username };
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `${parts.join(".")}.c2lnbmF0dXJl`;
}
