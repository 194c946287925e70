import { it } from "@jest/globals";
import { expectEachOnce } from "./batcher-world";

it("companies wanted by several readers are requested once each, in 400 mixtures of readers", () =>
  expectEachOnce(400));
