import { Agent, createServer, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { answerOrders } from "../../support/forked";
import { LARGE, SMALL } from "./proxies";

const company = { companyId: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", companyName: "Harbour Foods", countryCode: "JPN" };
const toBody = (companies: number) =>
  Buffer.from(JSON.stringify({ data: Array.from({ length: companies }, () => company), total: companies }));

/** A provider with prepared answers, fast enough never to be the bottleneck. */
function createProvider(): RequestListener {
  const bodies = new Map([SMALL, LARGE].map(({ path, companies }) => [path, toBody(companies)]));
  return ({ url = "" }, response) => {
    const body = bodies.get(url);
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
  };
}

/** A minimal proxy between page and provider: it pipes both ways and checks nothing. */
function createProxy(port: string): RequestListener {
  const agent = new Agent({ keepAlive: true });
  return (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const passed = request({ agent, host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  };
}

/** Serves one of them in a process of its own: the proxy where a port is given. */
const [, , port] = process.argv;
const server = createServer(port === undefined ? createProvider() : createProxy(port));
server.listen(0, "127.0.0.1", () => answerOrders((server.address() as AddressInfo).port));
