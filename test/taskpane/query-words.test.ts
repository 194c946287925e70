import { describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { createSession } from "../../src/session/session";
import { toTexts } from "../../src/taskpane/texts";
import { toQueryWords } from "../../src/taskpane/this-cell/query-words";
import { listKinds } from "../feed/query-kinds";

const { feed } = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1" });
const queries = Object.values(listKinds(feed)).flatMap((kinds) => Object.values(kinds));
const kinds = new Set(queries.map(({ key }) => key[0]));

describe.each(["en", "ja"])("the description of a query (%s)", (language) => {
  const texts = toTexts(language);

  it("has a title for each kind of query, and for no other", () => {
    expect(new Set(Object.keys(texts.ofProvenance.queries))).toEqual(kinds);
  });

  it("names each of its parameters", () => {
    const isNamed = queries.map((query) => toQueryWords(query, texts).parameters.length > 0);
    expect(isNamed).toEqual(queries.map(({ key }) => key.length > 1));
  });
});
