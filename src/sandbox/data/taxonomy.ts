import type { Sector, TaxonomyEntry } from "../../contract/types";
import { createDraw, hash, PURPOSE } from "./random";

/** The industries of each sub-sector of each sector: ten sectors of four sub-sectors of five industries. */
const INDUSTRIES: Record<string, Record<string, readonly [string, string, string, string, string]>> = {
  "Food and Agriculture": {
    "Processed Food": ["Frozen Meals", "Confectionery", "Noodles and Rice", "Seasonings", "Dairy Products"],
    Beverages: ["Soft Drinks", "Tea and Coffee", "Beer and Sake", "Bottled Water", "Functional Drinks"],
    Farming: ["Rice Farming", "Vegetables and Fruit", "Livestock", "Aquaculture", "Indoor Farming"],
    "Food Distribution": ["Food Wholesale", "Supermarkets", "Convenience Stores", "Restaurants", "Meal Delivery"],
  },
  "Materials and Chemicals": {
    "Basic Chemicals": ["Petrochemicals", "Industrial Gases", "Fertilisers", "Inorganic Salts", "Solvents"],
    "Specialty Chemicals": ["Coatings", "Adhesives", "Electronic Materials", "Fragrances", "Dyes and Pigments"],
    Metals: ["Steel Products", "Aluminium", "Copper and Wire", "Rare Metals", "Metal Recycling"],
    "Paper and Packaging": ["Paper Mills", "Corrugated Board", "Plastic Packaging", "Glass Containers", "Labels"],
  },
  "Machinery and Industry": {
    "Factory Equipment": ["Machine Tools", "Industrial Robots", "Pumps and Valves", "Moulds and Dies", "Bearings"],
    "Construction Machinery": ["Excavators", "Cranes", "Lifts and Escalators", "Equipment Rental", "Forklifts"],
    "Precision Instruments": ["Measuring Devices", "Optics", "Laboratory Equipment", "Watches", "Sensors"],
    Aerospace: ["Aircraft Parts", "Satellites", "Drones", "Launch Services", "Maintenance of Aircraft"],
  },
  "Electronics and Semiconductors": {
    Semiconductors: ["Chip Design", "Foundries", "Assembly and Test", "Chip Equipment", "Wafers"],
    Components: ["Capacitors", "Circuit Boards", "Connectors", "Batteries", "Displays"],
    "Consumer Electronics": ["Home Appliances", "Audio Equipment", "Cameras", "Game Consoles", "Wearables"],
    "Power Electronics": ["Inverters", "Power Supplies", "Electric Motors", "Transformers", "Charging Stations"],
  },
  "Mobility and Transport": {
    Automobiles: ["Passenger Cars", "Trucks and Buses", "Motorcycles", "Electric Vehicles", "Car Dealers"],
    "Automotive Parts": ["Drivetrains", "Tyres", "Interiors", "Vehicle Electronics", "Aftermarket Parts"],
    Freight: ["Trucking", "Sea Freight", "Air Cargo", "Warehousing", "Parcel Delivery"],
    "Passenger Transport": ["Railways", "Airlines", "Bus Services", "Ride Hailing", "Ferries"],
  },
  "Energy and Environment": {
    "Oil and Gas": ["Exploration", "Refining", "Gas Distribution", "Filling Stations", "Oilfield Equipment"],
    "Electric Power": ["Thermal Power", "Solar Power", "Wind Power", "Hydropower", "Power Retail"],
    "Water and Waste": ["Water Treatment", "Waste Collection", "Plastic Recycling", "Desalination", "Soil Remediation"],
    "Clean Technology": ["Hydrogen", "Carbon Capture", "Energy Storage", "Biofuels", "Energy Management"],
  },
  "Health Care": {
    Pharmaceuticals: ["Prescription Drugs", "Generic Drugs", "Over-the-Counter Drugs", "Vaccines", "Drug Wholesale"],
    "Medical Devices": ["Imaging", "Surgical Instruments", "Dental Devices", "Diagnostics", "Hearing Aids"],
    "Health Services": ["Hospitals", "Elderly Care", "Pharmacies", "Telemedicine", "Health Check-ups"],
    Biotechnology: ["Gene Therapy", "Regenerative Medicine", "Contract Research", "Enzymes", "Agricultural Biotech"],
  },
  "Consumer and Retail": {
    Apparel: ["Casual Wear", "Sportswear", "Footwear", "Luxury Goods", "Textile Mills"],
    "Personal Care": ["Skin Care", "Hair Care", "Oral Care", "Baby Products", "Household Cleaners"],
    Retail: ["Department Stores", "Drugstores", "Online Shops", "Home Centres", "Second-hand Shops"],
    Leisure: ["Hotels", "Theme Parks", "Travel Agencies", "Fitness Clubs", "Toys and Games"],
  },
  "Information and Media": {
    Software: ["Business Software", "Security Software", "Cloud Platforms", "Game Software", "Embedded Software"],
    "IT Services": ["System Integration", "Data Centres", "Outsourcing", "IT Consulting", "Testing Services"],
    Telecommunications: [
      "Mobile Operators",
      "Fixed Networks",
      "Internet Access",
      "Network Equipment",
      "Satellite Links",
    ],
    "Media and Education": ["Broadcasting", "Publishing", "Advertising", "Evening Schools", "Film and Music"],
  },
  "Finance and Real Estate": {
    Banking: ["Regional Banks", "Digital Banks", "Consumer Credit", "Leasing", "Payment Services"],
    Insurance: ["Life Insurance", "Property Insurance", "Insurance Brokers", "Reinsurance", "Pet Insurance"],
    "Capital Markets": ["Securities Brokers", "Asset Management", "Venture Capital", "Exchanges", "Financial Data"],
    "Real Estate": ["Office Leasing", "Housing Development", "Property Management", "Logistics Property", "Co-working"],
  },
};

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

/** Places in INDUSTRY_PATHS by the name of a branch: of a sub-sector all of its industries, of an industry itself. */
const PLACES_OF_BRANCH = new Map<string, number[]>();
for (const [place, { subSectorName, industryName }] of INDUSTRY_PATHS.entries()) {
  PLACES_OF_BRANCH.set(subSectorName, [...(PLACES_OF_BRANCH.get(subSectorName) ?? []), place]);
  PLACES_OF_BRANCH.set(industryName, [place]);
}

const INDUSTRIES_OF_SECTOR = 20;

/** How many further industries a company has, one entry for each eighth of all companies. */
const FURTHER = [0, 0, 0, 1, 1, 1, 2, 3];

/**
 * Places in INDUSTRY_PATHS of a company's industries, the primary one first: one to four of one sector, all different.
 * @param words seed, family and index of the company
 * @param branches what its name speaks of: the primary industry lies there
 */
export function pickIndustries(words: readonly number[], branches: readonly string[]): number[] {
  const drawn = (nth: number) => hash(PURPOSE.classification, ...words, nth);
  const fitting = branches.flatMap((branch) => PLACES_OF_BRANCH.get(branch)!);
  const first = fitting[(drawn(0) >>> 2) % fitting.length]!;
  const places = [first];
  for (let nth = 0; nth < FURTHER[drawn(1) % 8]!; nth += 1) {
    const place = first - (first % INDUSTRIES_OF_SECTOR) + (drawn(2 + nth) % INDUSTRIES_OF_SECTOR);
    if (!places.includes(place)) places.push(place);
  }
  return places;
}

/** The classifications of a company (§2.4), the primary one first. */
export function createTaxonomyEntries(words: readonly number[], branches: readonly string[]): TaxonomyEntry[] {
  const draw = createDraw(PURPOSE.classification, ...words, 9);
  return pickIndustries(words, branches).map((place, nth) => {
    const { description: _, ...path } = INDUSTRY_PATHS[place]!;
    const analystMapped = draw.chance(nth === 0 ? 0.6 : 0.1);
    const score = analystMapped ? 0 : Math.round(draw.between(0.5, 0.97) * 100) / 100;
    return { ...path, isPrimaryIndustry: nth === 0, analystMapped, score };
  });
}
