import { expect, it } from "@jest/globals";
import { COMPANY_ID, toParameters } from "../support/formula-arguments";
import { readSignatures } from "../support/formula-signatures";
import { answerEmpty, isCredential, startScriptedFormulas } from "../support/scripted-formulas";
import { until } from "../support/until";
import { annualOf } from "./years-provider";

it("a formula whose provider never answers says so after 30 seconds, whichever it is, and shows a later value", async () => {
  let isSilent = true;
  const page = await startScriptedFormulas((request) => {
    if (isCredential(request)) return undefined;
    if (isSilent) return { raw: () => {} };
    const isOfCompany = request.path.endsWith(`/financials/companies/${COMPANY_ID}`);
    return isOfCompany
      ? { json: { companyId: COMPANY_ID, years: [annualOf(2023, { Revenue: 7 })] } }
      : answerEmpty(request);
  });
  const { formulas, clock, rest } = page;
  await formulas.session.connect();
  const dataFormulas = readSignatures().filter(({ name }) => name !== "STATUS");
  const cells = dataFormulas.map((signature) => formulas.type(signature.name, ...toParameters(signature, "", null)));
  const figure = formulas.type("FINANCIAL", [[COMPANY_ID]], [[2023]], [["Revenue"]]);
  await until(() => page.requests.filter((request) => !isCredential(request)).length >= 5);
  await clock.advance(29_000);
  expect([...cells, figure].flatMap(({ shown }) => shown)).toEqual([]);
  await clock.advance(1_000);
  const late = expect.stringMatching(/^#N\/A FEED_(TIMED_OUT|INDEX_NOT_READY): .*(refresh|connect)/);
  expect([...cells, figure].map(({ shown }) => shown.at(-1)?.[0]?.[0])).toEqual([...cells, figure].map(() => late));
  for (const cell of cells) cell.cancel();
  isSilent = false;
  await clock.advance(60_000); // queries of the silent time are given up, and their slots are free
  await formulas.session.refresh();
  await rest();
  expect(figure.shown.at(-1)).toEqual([[7]]);
  await page.close();
});
