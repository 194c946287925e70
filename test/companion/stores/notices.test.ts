import { describe, expect, it } from "@jest/globals";
import type { Notices } from "../../../src/companion/stores";
import { createInstances, listKinds, waitUntil } from "./instances";

const instances = createInstances();

function hear(notices: Notices, topic: string): string[] {
  const heard: string[] = [];
  notices.hear(topic, (said) => void heard.push(said));
  return heard;
}

describe.each(listKinds(instances))("notices in %s", (_title, create) => {
  it("are heard by who tells them, at once and once, on their own topic", async () => {
    const { notices, answers } = create();
    await answers.read(["connected"]);
    const [heard, again, other] = [hear(notices, "a"), hear(notices, "a"), hear(notices, "b")];
    notices.tell("a", 'text with "quotes"\n');
    expect([heard, again, other]).toEqual([['text with "quotes"\n'], ['text with "quotes"\n'], []]);
    await answers.read(["so that an echo would have come"]);
    expect(heard).toHaveLength(1);
  });
});

describe("notices of three instances", () => {
  it("are heard by all, in the order of their telling", async () => {
    const all = [1, 2, 3].map(() => instances.start().stores);
    const heard = all.map(({ notices }) => hear(notices, "a"));
    await waitUntil(() => all.every(({ standing }) => standing() === "shared"));
    for (const said of ["first", "second", "third"]) all[0]!.notices.tell("a", said);
    await waitUntil(() => heard.every(({ length }) => length === 3));
    all[1]!.notices.tell("a", "fourth");
    await waitUntil(() => heard.every(({ length }) => length === 4));
    expect(heard).toEqual(Array(3).fill(["first", "second", "third", "fourth"]));
  });
});
