import type { Sector, TaxonomyEntry } from "../../contract/types";
import { INDUSTRIES } from "./industries";
import { createDraw, hash, PURPOSE } from "./random";

/** An industry with the names and ids of what stands above it. */
interface IndustryPath {
  sectorId: string;
  sectorName: string;
  subSectorId: string;
  subSectorName: string;
  industryId: string;
  industryName: string;
  description: string;
}

const twoDigits = (place: number) => String(place + 1).padStart(2, "0");

/** All industries in the order of the tree; an industry's place in this list stands for it elsewhere. */
export const INDUSTRY_PATHS: readonly IndustryPath[] = Object.entries(INDUSTRIES).flatMap(
  ([sectorName, subSectors], sector) =>
    Object.entries(subSectors).flatMap(([subSectorName, industries], subSector) =>
      industries.map((industryName, industry) => {
        const subSectorCode = twoDigits(sector) + twoDigits(subSector);
        return {
          sectorId: `SEC${twoDigits(sector)}`,
          sectorName,
          subSectorId: `SUB${subSectorCode}`,
          subSectorName,
          industryId: `IND${subSectorCode}${twoDigits(industry)}`,
          industryName,
          description: `Companies whose main business is ${industryName.toLowerCase()}.`,
        };
      }),
    ),
);

/** The whole tree (§2.5). */
export const TAXONOMY_TREE: readonly Sector[] = createTree();

function createTree(): Sector[] {
  const sectors = new Map<string, Sector>();
  for (const path of INDUSTRY_PATHS) {
    const sector = sectors.get(path.sectorId) ?? {
      sectorId: path.sectorId,
      sectorName: path.sectorName,
      subSectors: [],
    };
    sectors.set(path.sectorId, sector);
    let subSector = sector.subSectors.find(({ subSectorId }) => subSectorId === path.subSectorId);
    if (subSector === undefined) {
      const { subSectorId, subSectorName } = path;
      const description = `${subSectorName} within ${path.sectorName}.`;
      subSector = { subSectorId, subSectorName, description, industries: [] };
      sector.subSectors.push(subSector);
    }
    const { industryId, industryName, description } = path;
    subSector.industries.push({ industryId, industryName, description });
  }
  return [...sectors.values()];
}

const PLACES_OF_SUB_SECTOR = new Map<string, number[]>();
for (const [place, { subSectorName }] of INDUSTRY_PATHS.entries()) {
  PLACES_OF_SUB_SECTOR.set(subSectorName, [...(PLACES_OF_SUB_SECTOR.get(subSectorName) ?? []), place]);
}

/** How many further industries a company has, one entry for each eighth of all companies. */
const FURTHER = [0, 0, 0, 1, 1, 1, 2, 3];

/**
 * Places in INDUSTRY_PATHS of a company's industries, the primary one first: one to four, all different.
 * @param words seed, family and index of the company
 * @param subSectorName what its name speaks of: the primary industry lies there for three companies in four
 */
export function pickIndustries(words: readonly number[], subSectorName: string): number[] {
  const drawn = (nth: number) => hash(PURPOSE.classification, ...words, nth);
  const likely = PLACES_OF_SUB_SECTOR.get(subSectorName)!;
  const first = drawn(0);
  const places = [first % 4 === 0 ? (first >>> 2) % INDUSTRY_PATHS.length : likely[(first >>> 2) % likely.length]!];
  for (let nth = 0; nth < FURTHER[drawn(1) % 8]!; nth += 1) {
    const place = drawn(2 + nth) % INDUSTRY_PATHS.length;
    if (!places.includes(place)) places.push(place);
  }
  return places;
}

/** The classifications of a company (§2.4), the primary one first. */
export function createTaxonomyEntries(words: readonly number[], subSectorName: string): TaxonomyEntry[] {
  const draw = createDraw(PURPOSE.classification, ...words, 9);
  return pickIndustries(words, subSectorName).map((place, nth) => {
    const { description: _, ...path } = INDUSTRY_PATHS[place]!;
    const analystMapped = draw.chance(nth === 0 ? 0.6 : 0.1);
    const score = analystMapped ? 0 : Math.round(draw.between(0.5, 0.97) * 100) / 100;
    return { ...path, isPrimaryIndustry: nth === 0, analystMapped, score };
  });
}
