import { request } from "node:http";
import { HOST } from "./firm";

/** The last answer of a browser's navigation. */
export interface NavigationResult {
  status: number;
  url: URL;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
  /** The Set-Cookie headers of the last answer. */
  setCookies: readonly string[];
}

/** The browser behaviour that sign-in needs: cookies by host, and redirects. */
export interface Browser {
  /** Opens an address and follows redirects until `stop` accepts the next address. */
  open(address: string, stop?: (url: URL) => boolean): Promise<NavigationResult>;
}

/**
 * @param toPort Picks the port of the companion behind the firm's origin for each request, as a balancer does.
 * @param person The person for the identity provider; absent to decline.
 */
export function createBrowser(toPort: () => number, person?: string, headers: Record<string, string> = {}): Browser {
  const jars = new Map<string, Map<string, string>>();
  const fetchPage = (url: URL): Promise<NavigationResult> => {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const isFirm = url.host === HOST;
    const sent = { ...headers, host: url.host, cookie, ...(isFirm || person === undefined ? {} : { person }) };
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: "127.0.0.1",
        port: isFirm ? toPort() : url.port,
        path: url.pathname + url.search,
        headers: sent,
      });
      outgoing.on("error", reject).on("response", (response) => {
        const parts: Buffer[] = [];
        const setCookies = response.headers["set-cookie"] ?? [];
        for (const text of setCookies) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
          jar.set(name, value);
        }
        response
          .on("data", (part: Buffer) => parts.push(part))
          .on("end", () => {
            const { statusCode: status = 0, headers } = response;
            resolve({ status, url, headers, body: Buffer.concat(parts).toString(), setCookies });
          });
      });
      outgoing.end();
    });
  };
  return {
    async open(address, stop = () => false) {
      let page = await fetchPage(new URL(address));
      while (page.headers.location !== undefined) {
        const next = new URL(String(page.headers.location), page.url);
        if (stop(next)) return page;
        page = await fetchPage(next);
      }
      return page;
    },
  };
}
