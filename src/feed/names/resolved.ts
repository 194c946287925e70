import { NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { NamedCompany, Resolution } from "../resolutions";
import { toShort } from "./candidates";

/** Gives the company that a name means in the workbook. @throws NoValueError (FEED_NO_VALUE) where it means none */
export function readResolved({ companyId, name, country }: Resolution): string {
  if (companyId === "") throw toNobodyChosen({ name, country });
  return companyId;
}

/** Makes the error of a name that means no company by a person's decision. */
export const toNobodyChosen = (named: NamedCompany): NoValueError =>
  new NoValueError(
    "FEED_NO_VALUE",
    msg`"${toShort(named.name)}" has no company, by a choice kept in this workbook; choose one in the FEED pane`,
    { named },
  );
