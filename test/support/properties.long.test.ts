// The properties of the plain tests, with as many draws as TEST_TIER=long gives them (see property.ts).
import { jest } from "@jest/globals";
import "../firm/authorisation/answer-property.test";
import "../feed/decode.test";
import "../feed/financials/metrics.test";
import "../feed/financials/periods.test";
import "../feed/persisted-cache-slices.test";
import "../feed/properties/moving-lists.test";
import "../feed/properties/pages.test";
import "../feed/properties/persisted-lists.test";
import "../feed/properties/planner.test";
import "../feed/properties/token.test";
import "../functions/properties/plain-figures.test";
import "../mcp/any-call.test";

jest.setTimeout(300_000);
