import { type Pairing, toWho } from "../../companion/api/pairing";
import type { ReadRequest } from "../../companion/feature";
import type { Provider } from "../../companion/provider";
import { OPERATION_FAMILIES } from "../../contract/constants";
import { traceStep } from "../reporting/trace";
import type { FirmStores } from "../stores";
import { checkAnswer } from "./answer-check";
import { authorise } from "./authorisation";
import { type AsFirm, createCompanyCountries } from "./company-countries";
import { type Roles, toEntitlements } from "./entitlements";
import { createQuota } from "./quota";
import type { SharedAnswer, SharedReads, Wanted } from "./shared-reads";

/** The entitlement class of the companion's own reads, whose answers serve authorisation and reach no reader. */
const FIRM = "the firm";

interface AuthorisedReadsOptions {
  shared: SharedReads;
  stores: Pick<FirmStores, "answers">;
  provider: () => Provider;
  /** The current roles; absent where everybody may read what the firm's client may. */
  roles: () => Roles | undefined;
  /** Companies and pages per person and minute. */
  personPerMinute: number;
}

/** Creates the only access to the shared answers: it authorises each read first. */
export function createAuthorisedReads(options: AuthorisedReadsOptions) {
  const { shared, stores, provider, roles, personPerMinute } = options;
  const companyCountries = createCompanyCountries(stores, provider);
  const quota = createQuota(personPerMinute);
  return {
    /**
     * Reads what a caller requests, if they are entitled to it.
     * @param pairing Null where everybody reads sample data.
     * @throws Refusal as of `authorise`, `checkAnswer` and `SharedReads`.
     */
    async read(pairing: Pairing | null, request: ReadRequest, wanted?: Wanted): Promise<SharedAnswer> {
      const entitlements = toEntitlements(pairing?.person, roles());
      const who = pairing === null ? "sample" : toWho(pairing);
      const admit = (loads: number) => quota.admit(who, loads);
      const charge = (loads: number) => quota.charge(who, loads);
      const reader = { who, className: entitlements.className, admit, charge };
      const firm = { who, className: FIRM, admit: () => undefined, charge };
      const asFirm: AsFirm = {
        read: (operation, query) => shared.read(operation, query, firm),
        admit,
      };
      const family = OPERATION_FAMILIES[request.operation];
      await traceStep("authorise", () =>
        authorise(entitlements, request, (companyIds, readable) =>
          companyCountries.find(family, companyIds, asFirm, readable),
        ),
      );
      const answer = await shared.read(request.operation, request.query, reader, wanted);
      const isNew = answer.status === 200 && answer.known < answer.requested;
      if (isNew && roles() !== undefined) await companyCountries.learn(request.operation, answer.body);
      return checkAnswer(entitlements, request, answer);
    },
  };
}
