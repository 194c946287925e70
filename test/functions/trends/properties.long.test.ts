/** The properties of rankings in thousands of runs, and with as many companies as the provider has. */
Object.assign(process.env, { FEED_RUNS: "3000", FEED_COMPANIES: "4000" });
require("./moving-property.test");
require("./odd-rankings.test");
