import { sendRaw } from "../../companion/raw-request";
import { HOST } from "./firm";

/** The browser behaviour that sign-in needs: cookies by host, and redirects. */
export type Browser = ReturnType<typeof createBrowser>;

/**
 * @param toPort Picks the port of the companion behind the firm's origin for each request, as a balancer does.
 * @param person The person for the identity provider; absent to decline.
 */
export function createBrowser(toPort: () => number, person?: string, headers: Record<string, string> = {}) {
  const jars = new Map<string, Map<string, string>>();
  const fetchPage = async (url: URL) => {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const isFirm = url.host === HOST;
    const sent = { ...headers, host: url.host, cookie, ...(isFirm || person === undefined ? {} : { person }) };
    const port = isFirm ? toPort() : Number(url.port);
    const answer = await sendRaw(port, "GET", url.pathname + url.search, sent);
    for (const text of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      jar.set(name, value);
    }
    return { ...answer, url };
  };
  return {
    /** Opens an address and follows redirects until `stop` accepts the next address. */
    async open(address: string, stop: (url: URL) => boolean = () => false) {
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
