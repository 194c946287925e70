// The bundle that the host loads: the build adds each formula's CustomFunctions.associate to its file.
import "./companies";
import "./financials";
import "./names";
import "./rankings";
import "./status";
import "./taxonomies";
