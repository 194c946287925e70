import { afterEach, describe, expect, it } from "@jest/globals";
import { openFirm, type TestFirm } from "./firm";

const RANKING =
  "/japan/ranking/v1/companies?start_datetime=2024-01-01T00%3A00%3A00&end_datetime=2024-01-31T23%3A59%3A59";
const ROWS = 24_010;

let firm: TestFirm;

afterEach(() => firm.close());

/** A provider with a long ranking; if it ignores page_size, pages have 3,000 rows. */
async function openRanking(personPerMinute: number, ignored?: number): Promise<void> {
  firm = await openFirm({ personPerMinute }, (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://provider");
    const pageSize = ignored ?? Number(searchParams.get("page_size") ?? 25);
    const page = Number(searchParams.get("page") ?? 1);
    const from = (page - 1) * pageSize;
    const length = Math.max(0, Math.min(pageSize, ROWS - from));
    const data = Array.from({ length }, (_, nth) => ({ companyName: `Company ${from + nth}` }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data, page, pageSize, total: ROWS }));
  });
}

const readPage = async (page: number, pageSize: number | string) => {
  const ann = await firm.signIn("ann", []);
  return ann.get(`${RANKING}&page=${page}&page_size=${pageSize}`);
};

describe("a page of a list", () => {
  it("has at most 1,000 rows, so that ten pages are 10,000", async () => {
    await openRanking(10);
    for (let page = 1; page <= 10; page += 1) {
      const { status, headers, body } = await readPage(page, 3000);
      expect([status, headers["feed-refusal"]]).toEqual([400, "FEED_REQUEST_INVALID"]);
      expect(JSON.parse(body).error.message).toBe("page_size takes 1 to 1000 rows. Ask for the others page by page.");
    }
    expect(firm.listReads()).toEqual([]);
    expect((await readPage(1, 1000)).status).toBe(200);
  });

  it.each(["1001", "0", "-1", "1e9", "0x7d0", "2000.0", "+2000", "", "all"])(
    "is refused with the page_size '%s'",
    async (pageSize) => {
      await openRanking(10);
      expect((await readPage(1, encodeURIComponent(pageSize))).status).toBe(400);
      expect(firm.listReads()).toEqual([]);
    },
  );

  it("counts as the pages its rows fill if the provider gives more than requested", async () => {
    await openRanking(7, 3000);
    expect((await readPage(1, 25)).status).toBe(200);
    expect((await readPage(2, 25)).status).toBe(200);
    expect((await readPage(3, 25)).status).toBe(200);
    expect((await readPage(4, 25)).status).toBe(429);
    expect(firm.listReads()).toHaveLength(3);
  });
});
