import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import { Agent, buildConnector } from "undici";
import { toCertificateFailure, toIssuerName } from "./network/failure";
import type { WebProxy } from "./network/proxy";
import { openTunnel } from "./network/tunnel";

/** How other servers are reached. */
export interface Network {
  /** Picks the web proxy for an address; undefined for none, as for this machine always. */
  pickProxy(url: URL): WebProxy | undefined;
  /** Certificate authorities (PEM) that are trusted beside the public ones, as NODE_EXTRA_CA_CERTS names them. */
  extra?: string;
  /** Whether Node trusts those already, by its own environment. */
  isExtraKnown?: boolean;
  /** The companion's own server, whose authority (PEM) is trusted in place of the public ones. */
  own?: { origin: () => string; pem: string };
}

/** The network without any setting. */
export const DIRECT: Network = { pickProxy: () => undefined };

/** Makes connections to other servers, with undici's limits and timeouts. */
export function createConnections(network: Network, limits: Omit<Agent.Options, "connect"> = {}): Agent {
  return new Agent({ ...limits, connect: createConnector(network) });
}

/** Makes an agent of node:https, for a library that takes no other. */
export function createHttpsAgent(network: Network): HttpsAgent {
  const connect = createConnector(network);
  const agent = new HttpsAgent({ keepAlive: true });
  agent.createConnection = ({ host, port }, done) => {
    const place = { protocol: "https:", hostname: host ?? "", host: `${host}:${port}`, port: String(port) };
    connect(place, (error, socket) => done?.(error, socket as Socket));
    return undefined;
  };
  return agent;
}

/**
 * Creates what opens each connection. Certificates are checked whatever the environment says, at a proxy too. Undici's
 * own agent of proxies reports a refusal as if the caller had left.
 */
function createConnector({ pickProxy, extra, isExtraKnown, own }: Network): buildConnector.connector {
  const isNews = extra !== undefined && !isExtraKnown;
  const trust = { rejectUnauthorized: true, ...(isNews && { secureContext: toContext(extra) }) };
  const toAny = buildConnector(trust);
  const toOwn = own && buildConnector({ rejectUnauthorized: true, ca: [own.pem, extra ?? ""].join("\n") });
  return async (target, done) => {
    const url = new URL(`${target.protocol}//${target.host}`);
    // Chosen for each connection: the pane may replace the sandbox by a provider.
    const open = toOwn && own?.origin() === url.origin ? toOwn : toAny;
    const proxy = pickProxy(url);
    try {
      const httpSocket = proxy && (await openTunnel(proxy, url, trust));
      let issuer = "";
      const socket = open({ ...target, httpSocket }, (error, connected) => {
        if (error === null) done(null, connected);
        else done(toCertificateFailure(error, issuer), null);
      }) as unknown as TLSSocket;
      // Only the handshake knows who issued a certificate that is not trusted.
      socket.prependOnceListener("secure", () => {
        issuer = toIssuerName(socket.getPeerCertificate());
      });
    } catch (error) {
      done(error as Error, null);
    }
  };
}

function toContext(extra: string): tls.SecureContext {
  const { getCACertificates } = tls as { getCACertificates?: (kind: "default") => string[] }; // newer than Node 20
  return tls.createSecureContext({ ca: [...(getCACertificates?.("default") ?? tls.rootCertificates), extra] });
}
