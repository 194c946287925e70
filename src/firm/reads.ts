import type { Tracer } from "@opentelemetry/api";
import { toWho } from "../companion/api/pairing";
import type { AnswerRead, ReadsParts } from "../companion/feature";
import { readTraceId } from "../companion/relay/answer";
import { OPERATION_FAMILIES } from "../contract/constants";
import type { Firm } from "./configuration";
import { createAuthorisedReads } from "./reads/authorised-reads";
import type { Roles } from "./reads/entitlements";
import { checkPageSize } from "./reads/quota";
import { readWanted } from "./reads/shared/age-limit";
import { checkCompanyCount } from "./reads/shared/split";
import { createSharedReads } from "./reads/shared-reads";
import type { NotifyPause } from "./relay/circuit-breaker";
import { createProviderClient } from "./relay/provider-client";
import { createUnread, passSharedOn } from "./relay/shared-answer";
import { traceRead } from "./reporting/trace";
import type { FirmStores } from "./stores";

interface FirmReadsOptions extends ReadsParts {
  firm: Pick<Firm, "providerPerMinute" | "personPerMinute" | "refreshSeconds">;
  /** The current roles; absent where everybody may read what the firm's client may. */
  roles: () => Roles | undefined;
  stores: FirmStores;
  /** Makes the traces of reads; undefined where none are sent. */
  tracer: Tracer | undefined;
  /** As of ProviderClientOptions. */
  notifyPause?: NotifyPause | undefined;
}

/** Creates the reads of a firm: each is authorised, then answered from what is shared. */
export function createFirmReads(options: FirmReadsOptions): AnswerRead {
  const { providerPerMinute: perMinute, personPerMinute, refreshSeconds } = options.firm;
  const createClient = () => createProviderClient({ ...options, perMinute });
  const shared = createSharedReads({ ...options, createClient, refreshMs: refreshSeconds * 1000, perMinute });
  const reads = createAuthorisedReads({ ...options, shared, personPerMinute });
  const unread = createUnread();
  return async (read, request, reply) => {
    checkCompanyCount(read.query.body);
    checkPageSize(read.query.path);
    const answer = await traceRead(options.tracer, Date.now() - reply.elapsedTime, async (note) => {
      note({ "feed.request_id": request.id, "feed.operation": read.operation });
      const answered = await reads.read(request.pairing, read, readWanted(request.headers));
      const { status, requested, known } = answered;
      note({ "http.response.status_code": status, "feed.requested": requested, "feed.known": known });
      return answered;
    });
    const { requested, known, status, body } = answer;
    request.readFacts = { requested, known, traceId: status >= 400 ? readTraceId(body) : undefined };
    unread.add(request.pairing === null ? "sample" : toWho(request.pairing), body.length, reply.raw);
    return passSharedOn(answer, Date.now(), OPERATION_FAMILIES[read.operation], request, reply);
  };
}
