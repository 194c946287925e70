/** The industries of each sub-sector of each sector: ten sectors of four sub-sectors of five industries. */
export const INDUSTRIES: Record<string, Record<string, readonly [string, string, string, string, string]>> = {
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
    Media: ["Broadcasting", "Publishing", "Advertising", "Film and Animation", "Music"],
  },
  "Finance and Real Estate": {
    Banking: ["Regional Banks", "Digital Banks", "Consumer Credit", "Leasing", "Payment Services"],
    Insurance: ["Life Insurance", "Property Insurance", "Insurance Brokers", "Reinsurance", "Pet Insurance"],
    "Capital Markets": ["Securities Brokers", "Asset Management", "Venture Capital", "Exchanges", "Financial Data"],
    "Real Estate": ["Office Leasing", "Housing Development", "Property Management", "Logistics Property", "Co-working"],
  },
};
