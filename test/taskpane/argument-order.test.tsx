/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, screen } from "@testing-library/react/pure";
import { completeMetadata, type FunctionsMetadata } from "../../src/reference/metadata";
import type { Session } from "../../src/session/session";
import { ArgumentOrder } from "../../src/taskpane/ArgumentOrder";
import { toTexts } from "../../src/taskpane/texts";
import golden from "../functions/functions.golden.json";
import { openPart } from "./open-pane";

const metadata = golden as unknown as FunctionsMetadata;
const families = [{ title: "All", formulas: metadata.functions.map(({ id }) => ({ id, gives: "" })) }];

/** Serves the table of formulas, and counts the requests for it. */
function createPorts() {
  const asked: string[] = [];
  const fetch = async (url: URL) => {
    asked.push(url.pathname);
    const language = url.pathname.includes("ja") ? "ja" : "en";
    const isTable = url.pathname.includes("functions");
    return Response.json(isTable ? completeMetadata(metadata, language, "https://localhost") : families);
  };
  return { ports: { fetch }, asked };
}

const NOTHING = "nothing is out of order";

type Given = [name: string, ...given: unknown[]];
/** As a formula's text has it. */
const written = (value: unknown) => ({ kind: "text", value });

async function read([name, ...given]: Given, language: string, shown: string): Promise<void> {
  const { ports } = createPorts();
  const order = <ArgumentOrder calls={[{ name, given: given as never }]} otherwise={NOTHING} />;
  openPart({ ports } as unknown as Session, order, { texts: toTexts(language) });
  await screen.findByText(shown);
}

afterEach(cleanup);

const FINANCIAL = "FINANCIAL(company, year, metric, [basis], [unit])";
const RANKING = "RANKING(start, [end], [top], [fields], [by], [headers])";

describe("the arguments of a formula", () => {
  it.each<[why: string, given: Given, said: string]>([
    ["lack the required ones", ["FINANCIAL", [["A"]]], `The formula lacks year, metric. The order is ${FINANCIAL}.`],
    [
      "lack one that is left out",
      ["FINANCIAL", "A", null, "EBIT"],
      `The formula lacks year. The order is ${FINANCIAL}.`,
    ],
    [
      "have a unit by its name in the basis' place",
      ["FINANCIAL", [["A"]], [[2023]], [["Revenue"]], "millions"],
      `“millions” belongs in unit, as “m”. The order is ${FINANCIAL}.`,
    ],
    [
      "have a basis in the unit's place",
      ["FINANCIAL", "A", 2023, "Revenue", null, "consolidated"],
      `“consolidated” belongs in basis, as “CONSOLIDATED”. The order is ${FINANCIAL}.`,
    ],
    [
      "have year and metric exchanged, of which one is misspelt",
      ["FINANCIAL", "A", "Revenu", "2023"],
      `“Revenu” belongs in metric, as “Revenue”. The order is ${FINANCIAL}.`,
    ],
    [
      "have a unit in the basis' place as the formula's text has it",
      ["FINANCIAL", { kind: "cells", text: "A2" }, written("2023"), written("Revenue"), written("k")],
      `“k” belongs in unit. The order is ${FINANCIAL}.`,
    ],
    [
      "have a number of rows in the end's place",
      ["RANKING", "-7d", 25],
      `“25” belongs in top. The order is ${RANKING}.`,
    ],
    [
      "have a switch in the fields' place",
      ["RANKING", "-7d", null, null, [[false]]],
      `“false” belongs in headers, as “FALSE”. The order is ${RANKING}.`,
    ],
    [
      "have several metrics in the years' place",
      ["FINANCIALS", "A", "Revenue,EBIT"],
      "“Revenue,EBIT” belongs in metrics. The order is FINANCIALS(companies, [years], [metrics], [layout], [basis], [unit], [headers]).",
    ],
    [
      "have a type in the country's place",
      ["UNIVERSE", "PUBLIC"],
      "“PUBLIC” belongs in type. The order is UNIVERSE(country, [type], [top], [fields], [headers]).",
    ],
  ])("%s", (_, given, said) => read(given, "en-US", said));

  it.each<[why: string, given: Given]>([
    ["a value that is misspelt in its own place", ["FINANCIAL", "A", 2023, "Revenu"]],
    ["a value that belongs nowhere", ["FINANCIAL", "A", 2023, "Revenue", "yearly"]],
    ["a ticker that looks like a year", ["FINANCIAL", 1925, 2023, "Revenu"]],
    ["a date as a number", ["RANKING", 20240101]],
    ["a value whose place has its own", ["FINANCIAL", "A", 2023, "Revenue", "m", "k"]],
    ["ranges", ["FINANCIAL", [["A"], ["B"]], [[2023, 2024]], [["Revenue"]]]],
    ["a formula that is not known", ["NOTHING", "A"]],
  ])("are in order with %s", (_, given) => read(given, "en-US", NOTHING));

  it("are named in Japanese too", async () => {
    await read(["FINANCIAL", [["A"]]], "ja-JP", `引数 year、metric がありません。順序は ${FINANCIAL} です。`);
    const given: Given = ["FINANCIAL", "A", 2023, "Revenue", "百万"];
    await read(given, "ja-JP", `「百万」は引数 unit の値です(「m」と指定)。順序は ${FINANCIAL} です。`);
  });

  it("are read in one table for all formulas of a page, which is loaded again after a failure", async () => {
    const { ports, asked } = createPorts();
    let isDown = true;
    const fetch = async (url: URL) => {
      const reply = await ports.fetch(url);
      return isDown ? Response.error() : reply;
    };
    const show = () => {
      const order = (
        <>
          <ArgumentOrder calls={[{ name: "FINANCIAL", given: [] }]} />
          <ArgumentOrder calls={[{ name: "UNIVERSE", given: [] }]} />
        </>
      );
      openPart(session, order);
    };
    const session = { ports: { ...ports, fetch } } as unknown as Session;
    show();
    await new Promise(setImmediate);
    isDown = false;
    cleanup();
    show();
    await screen.findByText(/^The formula lacks country\./);
    await screen.findByText(/^The formula lacks company, year, metric\./);
    expect(asked).toHaveLength(4);
  });
});
