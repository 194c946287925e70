import { it } from "@jest/globals";
import { expectContractAlone, openFuzz } from "./relay-fuzz";

openFuzz();

it("10,000 malformed requests reach the provider as operations of the contract alone", () => {
  return expectContractAlone(10_000);
}, 120_000);
