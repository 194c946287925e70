// The properties of rankings, with as many draws and companies as TEST_TIER=long gives them.
import "./moving-property.test";
import "./odd-rankings.test";
