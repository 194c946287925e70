import type { Call } from "../../src/session/calls";
import type { Session } from "../../src/session/session";
import type { Shown } from "../office/custom-functions";
import type { Chance } from "../support/chance";
import { describeFormula, type Moment, type Written } from "./formulas";
import { type } from "./page";
import type { Site } from "./site";
import { verify } from "./verdict";

/** Thousands of cells, and whether each shows the expected value. */
export interface Crowd {
  type(count: number): void;
  /** Retypes a number of random cells. */
  churn(count: number): void;
  /** Changes the provider's numbers. */
  change(): void;
  /** Checks all cells after a refresh: their values must be of this edition or later, unless the request failed. */
  look(from: number): void;
  /** Cells without the current value. */
  listWrong(): string[];
  leave(): void;
  figures(): { live: number; frames: number; retained: number; slowestMs: number };
}

export interface CrowdOptions {
  chance: Chance;
  site: Site;
  session: Session;
  formulas: readonly Written[];
  complain: (what: string) => void;
}

interface Member {
  written: Written;
  call: Call;
  shown: Shown | null;
  /** When it was typed. */
  moment: Moment;
  /** When it was last seen correct. */
  goodAtMs: number;
  leave: () => void;
}

/** A cell incorrect for this long is stuck: several refreshes, each with all its retries. */
const STUCK_MS = 120_000;

export function createCrowd(options: CrowdOptions): Crowd {
  const { chance, site, formulas } = options;
  const members: Member[] = [];
  const counts = { frames: 0, retained: 0, slowestMs: 0 };
  const add = () => void members.push(openMember(options, chance.pick(formulas), () => void counts.frames++));
  const leave = (member: Member) => {
    members.splice(members.indexOf(member), 1);
    member.leave();
  };
  return {
    type(count) {
      for (let index = 0; index < count; index++) add();
    },
    churn(count) {
      for (let index = 0; index < count; index++) {
        leave(chance.pick(members));
        add();
      }
    },
    change: () => void site.edition++,
    look(from) {
      counts.retained = 0;
      for (const member of members) {
        const lateMs = look(options, member, from);
        if (lateMs > 0) counts.retained++;
        counts.slowestMs = Math.max(counts.slowestMs, lateMs);
      }
    },
    listWrong: () => members.flatMap((member) => complaintOf(options, member, site.edition) ?? []),
    leave() {
      for (const member of [...members]) leave(member);
    },
    figures: () => ({ live: members.length, ...counts }),
  };
}

function openMember({ site, session, complain }: CrowdOptions, written: Written, count: () => void): Member {
  const { settings } = session;
  let isLeft = false;
  const show = (shown: Shown) => {
    count();
    if (isLeft) complain(`${describeFormula(written)} shows something after its cancel`);
    const complaint = verifyAsOf(member.moment, shown, written, { from: 0, to: site.edition }, false);
    const now = verifyAsOf(
      { ...member.moment, nowMs: Date.now() },
      shown,
      written,
      { from: 0, to: site.edition },
      false,
    );
    if (complaint !== null && now !== null) complain(complaint);
    member.shown = shown;
  };
  const moment = { nowMs: Date.now(), timeZone: settings.timeZone };
  const member: Member = { written, call: null as never, shown: null, moment, goodAtMs: moment.nowMs, leave: () => {} };
  const cancel = type(written.name, written.given, show);
  member.call = session.calls.list().at(-1) as Call;
  member.leave = () => {
    isLeft = true;
    cancel();
  };
  return member;
}

function verifyAsOf(
  moment: Moment,
  shown: Shown,
  written: Written,
  editions: { from: number; to: number },
  isEnd: boolean,
): string | null {
  const complaint = verify(shown, written.expect(moment), editions, isEnd, written.rowsOfCompany);
  return complaint === null ? null : `${describeFormula(written)}: ${complaint}`;
}

/** The fault of a cell that must be complete and at least of an edition. */
function complaintOf({ site }: CrowdOptions, { written, shown, moment }: Member, from: number): string | null {
  if (shown === null) return `${describeFormula(written)} shows nothing`;
  return verifyAsOf({ ...moment, nowMs: Date.now() }, shown, written, { from, to: site.edition }, true);
}

/** Milliseconds for which the cell has been incorrect; 0 if it is correct. */
function look(options: CrowdOptions, member: Member, from: number): number {
  const nowMs = Date.now();
  const complaint = complaintOf(options, member, from);
  if (complaint === null) {
    member.goodAtMs = nowMs;
    return 0;
  }
  const lateMs = nowMs - member.goodAtMs;
  if (lateMs > STUCK_MS) options.complain(`stuck for ${Math.round(lateMs / 1000)} s: ${complaint}`);
  return lateMs;
}
