// The bundle that the host loads: the build adds each formula's CustomFunctions.associate to its file.
import { session } from "../session/current";
import { companies, company } from "./companies";
import { financial, financials } from "./financials";
import { companyFind, companyId, companyMatch } from "./names";
import { ranking, rankingIndustries, rankingMovers, rankingPages, rankingTrend } from "./rankings";
import { status } from "./status";
import { classification, constituents, peers, taxonomy, universe } from "./taxonomies";

session.formulas.offer({
  COMPANY: company,
  COMPANIES: companies,
  FINANCIAL: financial,
  FINANCIALS: financials,
  "COMPANY.FIND": companyFind,
  "COMPANY.ID": companyId,
  "COMPANY.MATCH": companyMatch,
  RANKING: ranking,
  "RANKING.PAGES": rankingPages,
  "RANKING.INDUSTRIES": rankingIndustries,
  "RANKING.TREND": rankingTrend,
  "RANKING.MOVERS": rankingMovers,
  STATUS: status,
  TAXONOMY: taxonomy,
  CLASSIFICATION: classification,
  CONSTITUENTS: constituents,
  UNIVERSE: universe,
  PEERS: peers,
});
