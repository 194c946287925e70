import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { findPort } from "../support/free-port.mjs";
import { findPrometheus, startPrometheus } from "../support/prometheus.mjs";
import { until } from "../support/until";
import { type Analyst, openFirm, type TestFirm } from "./authorisation/firm";

const DASHBOARD = join(__dirname, "../../src/companion/deploy/grafana-dashboard.json");
const TREE = "/asia/industry-taxonomies/v1/tree";
const COMPANIES = "/asia/private-markets/v1/companies/";
const LONGEST_MS = 60_000;

interface Panel {
  title: string;
  targets: { expr: string }[];
}

const { panels }: { panels: Panel[] } = JSON.parse(readFileSync(DASHBOARD, "utf8"));

describe("the panels of the Grafana dashboard, in a Prometheus that scrapes a companion at work", () => {
  if (findPrometheus() === undefined) {
    it("have an expression each; Debian's package prometheus tries them", () => {
      expect(panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
    });
    return;
  }
  let firm: TestFirm;
  let analyst: Analyst;
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;

  beforeAll(async () => {
    const port = await findPort();
    const metrics = { host: "127.0.0.1", port };
    firm = await openFirm({ metrics }, ({ url = "" }, response) => {
      response.end(url.includes(COMPANIES) ? `{"id":"${url.split("/").at(-1)}"}` : '{"data":[{"id":"x"}]}');
    });
    analyst = await firm.signIn("Ada", []);
    await analyst.exchange();
    prometheus = await startPrometheus(`127.0.0.1:${port}`);
  }, LONGEST_MS);
  afterAll(async () => {
    await prometheus.close();
    await firm.close();
  });

  it.each(panels.map(({ title, targets }) => [title, targets] as const))(
    "%s: has a figure",
    async (_title, targets) => {
      await until(async () => {
        // One that is known, and one that the provider is asked for.
        for (const path of [TREE, `${COMPANIES}${randomUUID()}`]) expect((await analyst.get(path)).status).toBe(200);
        const figures = (await Promise.all(targets.map(({ expr }) => prometheus.query(expr)))).flat();
        return figures.some(Number.isFinite);
      });
    },
    LONGEST_MS,
  );
});
