// The properties of the plain tests, with as many draws as TEST_TIER=long gives them (see runs.ts).
import { jest } from "@jest/globals";
import "./moving-lists.test";
import "./pages.test";
import "./persisted-lists.test";
import "./planner.test";
import "./token.test";

jest.setTimeout(300_000);
