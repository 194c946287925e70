import type { Pairing } from "../api/pairing";
import type { Provider } from "../provider";
import type { Stores } from "../stores";
import { checkAnswer } from "./answer-check";
import { type Asked, checkRights } from "./authorisation";
import { type AsFirm, createHomes } from "./company-countries";
import { OPERATION_FAMILIES, type Roles, toRights } from "./entitlements";
import { createQuota, toWho } from "./quota";
import type { SharedAnswer, SharedReads, Wanted } from "./shared-reads";

/** Nobody's rights: what the firm's own client is told decides who may read, and is shown to nobody. */
const FIRM = "the firm";

/** The one way to the shared answers, since each read is judged on it first. */
export interface JudgedReads {
  /**
   * Reads what somebody asks for, if they may.
   * @param pairing Null where everybody reads sample data.
   * @throws Refusal as of `checkRights` and `SharedReads`.
   */
  read(pairing: Pairing | null, asked: Asked, wanted?: Wanted): Promise<SharedAnswer>;
}

export interface JudgedReadsOptions {
  shared: SharedReads;
  stores: Pick<Stores, "answers" | "createLimit">;
  provider: () => Provider;
  /** As they are at this moment; absent where everybody may read what the firm's client may. */
  roles: () => Roles | undefined;
  /** Companies and pages that one person may have the provider asked for. */
  personPerMinute: number;
}

export function createJudgedReads(options: JudgedReadsOptions): JudgedReads {
  const { shared, stores, provider, roles, personPerMinute } = options;
  const homes = createHomes(stores.answers, provider);
  const quota = createQuota(stores, personPerMinute);
  return {
    async read(pairing, asked, wanted) {
      const rights = toRights(pairing?.person, roles());
      const who = pairing === null ? "sample" : toWho(pairing);
      const count = (loads: number) => quota.count(who, loads);
      const charge = (loads: number) => quota.charge(who, loads);
      const reader = { who, className: rights.className, count, charge };
      const firm = { who, className: FIRM, count: async () => {}, charge };
      const asFirm: AsFirm = {
        read: (operation, question) => shared.read(operation, question, firm),
        count: reader.count,
      };
      const family = OPERATION_FAMILIES[asked.operation];
      const findHomes = (companyIds: readonly string[]) => homes.find(family, companyIds, asFirm);
      await checkRights(rights, asked, findHomes);
      const answer = await shared.read(asked.operation, asked.question, reader, wanted);
      const isNew = answer.status === 200 && answer.known < answer.asked;
      if (isNew && roles() !== undefined) await homes.learn(asked.operation, answer.body);
      return checkAnswer(rights, asked, answer);
    },
  };
}
