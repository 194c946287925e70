import { it } from "@jest/globals";
import { expectAllAdmitted, openOffice } from "./monday";

openOffice();

it("200 people behind one address sign in within the same minute, and none is refused", () => expectAllAdmitted(200));
