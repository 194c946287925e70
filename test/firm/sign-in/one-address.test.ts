import { it } from "@jest/globals";
import { expectAllAdmitted } from "./one-address";

it("200 people behind one address sign in within the same minute, and none is refused", () => expectAllAdmitted(200));
