import { jest } from "@jest/globals";
import * as errors from "../../../src/client/errors";
import * as messages from "../../../src/client/messages";
import type { CompanyFinancials } from "../../../src/contract/types";
import { createSession, type Session } from "../../../src/session/session";
import { installCustomFunctions } from "../../office/custom-functions";
import type { Read } from "../../support/direct-reading";
import { isolatePage } from "../../support/formula-cells";
import { createHurriedPorts } from "../../taskpane/gate";
import type { SourceCompany } from "./typed-blocks";

/** A page that runs the formulas, as the pane's page does. */
export async function openFormulaPage(origin: string): Promise<Session> {
  installCustomFunctions();
  const session = createSession({ ports: createHurriedPorts(), companionUrl: origin });
  await isolatePage(() => {
    jest.doMock("../../../src/session/current", () => ({ session }));
    // Lazy scripts are separate modules here, whose errors must still be recognised.
    jest.doMock("../../../src/client/errors", () => errors);
    jest.doMock("../../../src/client/messages", () => messages);
    require("../../../src/functions");
    return session;
  });
  await session.connect();
  return session;
}

interface Listed {
  id: string;
  registrationNumber: string | null;
  companyName: string | null;
}

/** Reads companies and all their figures from the API, without the feed. */
export async function readSources(read: Read, count: number): Promise<SourceCompany[]> {
  const { data } = await read<{ data: Listed[] }>(`/asia/private-markets/v1/companies?country=JPN&page_size=${count}`);
  const names = data.map(({ companyName }) => companyName);
  const all = data.map(async ({ id, registrationNumber, companyName }) => {
    if (registrationNumber === null) return [];
    const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
    const isUnique = names.filter((name) => name === companyName).length === 1;
    return [{ id, registrationNumber, name: isUnique ? companyName : null, years: toYears(years) }];
  });
  return (await Promise.all(all)).flat();
}

function toYears(years: CompanyFinancials["years"]): SourceCompany["years"] {
  return new Map(
    years.map(({ year, statements }) => {
      const byType: Record<string, Record<string, number>> = {};
      for (const { consolidationType = "", metrics } of statements) {
        const figures = Object.fromEntries(metrics.map(({ name, value }) => [name, value as number]));
        byType[consolidationType] = { ...byType[consolidationType], ...figures };
      }
      return [year, byType];
    }),
  );
}
