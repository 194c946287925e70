import { request } from "node:http";
import { HOST } from "./firm";

/** The end of a browser's way. */
export interface Landing {
  status: number;
  url: URL;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
  /** Each cookie as it was set, of the last answer. */
  setCookies: readonly string[];
}

/** What a browser does of its own accord, as far as signing in needs it: cookies of each host, and redirects. */
export interface Browser {
  /** Opens an address, and goes on wherever it is sent to, until `stop` says so of an address that is next. */
  open(address: string, stop?: (url: URL) => boolean): Promise<Landing>;
}

/**
 * @param toPort Picks where a companion behind the firm's origin listens, as a balancer does, request by request.
 * @param person Who sits there, as the identity provider is told; absent for somebody who declines.
 */
export function createBrowser(toPort: () => number, person?: string, headers: Record<string, string> = {}): Browser {
  const jars = new Map<string, Map<string, string>>();
  const ask = (url: URL): Promise<Landing> => {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const isFirm = url.host === HOST;
    const sent = { ...headers, host: url.host, cookie, ...(isFirm || person === undefined ? {} : { person }) };
    return new Promise((resolve, reject) => {
      const asked = request({
        host: "127.0.0.1",
        port: isFirm ? toPort() : url.port,
        path: url.pathname + url.search,
        headers: sent,
      });
      asked.on("error", reject).on("response", (response) => {
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
      asked.end();
    });
  };
  return {
    async open(address, stop = () => false) {
      let landing = await ask(new URL(address));
      while (landing.headers.location !== undefined) {
        const next = new URL(String(landing.headers.location), landing.url);
        if (stop(next)) return landing;
        landing = await ask(next);
      }
      return landing;
    },
  };
}
