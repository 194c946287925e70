import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LARGE, SMALL } from "./queries";

/** A provider with prepared answers, fast enough never to be the bottleneck. */
const company = { companyId: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", companyName: "Harbour Foods", countryCode: "JPN" };
const toBody = (companies: number) =>
  Buffer.from(JSON.stringify({ data: Array.from({ length: companies }, () => company), total: companies }));
const bodies = new Map([SMALL, LARGE].map(({ path, companies }) => [path, toBody(companies)]));

const server = createServer(({ url = "" }, response) => {
  const body = bodies.get(url);
  if (body === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
