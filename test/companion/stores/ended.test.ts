import { describe, expect, it } from "@jest/globals";
import { openFor } from "../test-configuration";
import { listKinds } from "./instances";

const ORIGIN = "https://localhost:3000";
const ADA = { id: "https://login.example.com ada", name: "Ada", roles: ["analyst"] };

describe.each(listKinds())("pairings that an administrator ends (%s)", (_kind, open) => {
  it("are given once with person and time, to be recorded", async () => {
    const { pairings } = open();
    const pairAda = async () => {
      await openFor(pairings).pairPerson({ person: ADA, endsAtMs: Date.now() + 60_000 }, ORIGIN);
      return (await pairings.list()).at(-1)!;
    };
    const ended = await pairAda();
    await pairings.endOwn(await pairAda());
    const before = Date.now();
    await pairings.revoke(ended.id);
    const revoked = await pairings.takeRevoked();
    expect(revoked).toEqual([{ id: ended.id, person: ADA, atMs: expect.any(Number) }]);
    expect(revoked[0]!.atMs).toBeGreaterThanOrEqual(before);
    expect(await pairings.takeRevoked()).toEqual([]);
  });
});
