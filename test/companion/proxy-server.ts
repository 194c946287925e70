import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";

/** What a proxy does with each CONNECT. */
interface ProxyRules {
  /** The port of this machine to which every name leads. */
  port: number;
  /** The value of Proxy-Authorization without which it answers 407; default none. */
  wants?: string;
  /** The schemes that it names then; default Basic. */
  schemes?: string;
  /** The status with which it refuses everything; default none. */
  refuses?: number;
  /** Its certificate, where it is reached by https. */
  tls?: { cert: string; key: string };
}

/** A web proxy on loopback that counts what it connects, and lets every name lead to a port of this machine. */
export async function startProxy({ port: target, wants, schemes = "Basic", refuses, tls }: ProxyRules) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = tls ? createSecureServer(tls) : createServer();
  server.on("connect", ({ url = "", headers }, socket: Socket) => {
    asked.push(url);
    socket.on("error", () => {});
    const isSignedIn = wants === undefined || headers["proxy-authorization"] === wants;
    const status = refuses ?? (isSignedIn ? 200 : 407);
    const more = status === 407 ? `Proxy-Authenticate: ${schemes}\r\n` : "";
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} Refused\r\n${more}\r\n`);
    const onward = connect(target, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    onward.on("error", () => socket.destroy());
    for (const each of [socket, onward]) sockets.add(each);
    return socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { asked, port, close };
}

/** Makes a certificate for a name as an inspecting proxy does: signed by an authority that nobody else knows. */
export function makeCertificate(folder: string, authority: string, name: string) {
  const [key, cert] = [join(folder, "inspection.key"), join(folder, "inspection.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const names = ["-subj", `/CN=${authority}`, "-addext", `subjectAltName=DNS:${name}`];
  execFileSync("openssl", ["req", "-x509", ...curve, ...names, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8"), path: cert };
}
