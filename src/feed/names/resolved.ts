import { NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { Resolution } from "../resolutions";
import { toShort } from "./candidates";

/** Gives the company that a name means in the workbook. @throws NoValueError (FEED_NO_VALUE) where a person chose none */
export function readResolved({ companyId, name, country }: Resolution): string {
  if (companyId !== "") return companyId;
  throw new NoValueError(
    "FEED_NO_VALUE",
    msg`"${toShort(name)}" has no company, by a choice kept in this workbook; choose one in the FEED pane`,
    { named: { name, country } },
  );
}
