import { afterAll } from "@jest/globals";
import { closeTestStores } from "../companion/configured";

afterAll(closeTestStores);
