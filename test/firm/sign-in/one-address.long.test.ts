import { it } from "@jest/globals";
import { expectAllAdmitted } from "./one-address";

it("5,000 people behind one address sign in within the same minute", () => expectAllAdmitted(5000), 300_000);
