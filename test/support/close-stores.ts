import { afterAll } from "@jest/globals";
import { closeTestStores } from "../companion/test-configuration";

afterAll(closeTestStores);
