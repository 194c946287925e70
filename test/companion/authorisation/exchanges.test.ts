import { expect, it } from "@jest/globals";
import { openFirm } from "./firm";

const TREE = "/asia/industry-taxonomies/v1/tree";

it.each([
  ["that fails once", 503, 1],
  ["that asks to wait once", 429, 1],
  ["that refuses the client twice, since the clock may have been why", 401, 2],
])("a token endpoint %s gets few requests, whatever the number of panes", async (_what, status, times) => {
  const firm = await openFirm(
    {},
    (_request, response) => response.end("[]"),
    (_request, response) => response.writeHead(status, { "retry-after": "86400" }).end("{}"),
  );
  for (let nth = 0; nth < 10; nth += 1) {
    const { exchange, get } = await firm.signIn(`person ${nth}`, []);
    const { status: firstStatus, headers } = await exchange();
    expect([firstStatus, headers["retry-after"]]).toEqual([status, "600"]);
    expect((await get(TREE)).status).toBeGreaterThanOrEqual(400);
  }
  expect(firm.provider.seen.map(({ url }) => url)).toEqual(Array(times).fill("/token"));
  await firm.close();
});
