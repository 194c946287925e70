// Generated from openapi.yaml by npm run contract.

export interface paths {
    "/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchanges a signed client assertion for an access token (§4.1, §5.3) */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/private-markets/v1/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the private companies of a country (§4.2) */
        get: operations["searchCompanies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/private-markets/v1/companies/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads one private company (§4.2) */
        get: operations["getCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/private-markets/v1/financials/companies/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the financials of one company (§4.2)
         * @description The status for a company without financials, or for an unknown company, is not shown.
         */
        get: operations["getCompanyFinancials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/private-markets/v1/financials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reads the financials of several companies (§4.2)
         * @description Selects the union of `companyIds` and `identifiers`. The answer is a page envelope, yet no page parameter is
         *     shown: more companies than one page holds may come back cut. What happens to ids that do not exist, and the
         *     order of the elements, is not shown either.
         */
        post: operations["getFinancialsOfMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/industry-taxonomies/v1/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the classified companies of a country (§4.3) */
        get: operations["listTaxonomyCompanies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/industry-taxonomies/v1/companies/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the classification of one company (§4.3) */
        get: operations["getTaxonomyCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/industry-taxonomies/v1/industries/{industryId}/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the companies classified under an industry (§4.3) */
        get: operations["listIndustryCompanies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/industry-taxonomies/v1/sub-sectors/{subSectorId}/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the companies classified under a sub-sector and all its industries (§4.3) */
        get: operations["listSubSectorCompanies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/industry-taxonomies/v1/sectors/{sectorId}/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the companies classified under a sector, its sub-sectors and industries (§4.3) */
        get: operations["listSectorCompanies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asia/industry-taxonomies/v1/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the whole tree of sectors, sub-sectors and industries (§4.3) */
        get: operations["getTaxonomyTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/japan/ranking/v1/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ranks listed companies by page views within a range of time (§4.4) */
        get: operations["rankCompanies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/japan/ranking/v1/company-pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ranks listed companies, with the statistics of each page type (§4.4) */
        get: operations["rankCompanyPages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/japan/ranking/v1/industries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ranks industries by page views within a range of time (§4.4) */
        get: operations["rankIndustries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/private-company/v1/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is called once in the document's authentication walk-through (§4.5)
         * @description Only the path, the country parameter and the bearer token are shown; neither scopes nor the answer.
         */
        get: operations["listCompaniesWalkThrough"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The form of the token request (§4.1). */
        TokenRequest: {
            /** @constant */
            grant_type: "client_credentials";
            /** @description The identifier given at registration. */
            client_id: string;
            /** @constant */
            client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
            /**
             * @description A JWT signed with RS256. Header: alg, typ JWT, kid of the registered key. Claims: iss and sub are the client
             *     id, aud is the address of the token endpoint, iat and exp are Unix seconds at most 5 minutes apart
             *     (recommended), jti is different in each JWT (§5.2).
             */
            client_assertion: string;
        };
        /** @description An access token (§4.1). */
        TokenResponse: {
            /** @description A JWT-shaped token. */
            access_token: string;
            /** @example bearer */
            token_type: string;
            /**
             * @description Lifetime in seconds.
             * @example 300
             */
            expires_in: number;
        };
        /** @description A private company (§2.2). */
        Company: {
            /**
             * Format: uuid
             * @description Serves as companyId in other calls.
             */
            id: string;
            /** @description What the identifier filter and the identifiers of POST /financials take. */
            registrationNumber?: string;
            companyName?: string;
            businessDescription?: string;
            registeredAddress?: components["schemas"]["Address"];
            isCompanyHqInAddressCountry?: boolean;
            telephoneNumber?: string;
            /** @description A URL. */
            websiteUrl?: string;
            representatives?: components["schemas"]["Representative"][];
            legalStructure?: string;
            /** Format: date */
            dateOfRegistration?: string;
            /**
             * Format: date-time
             * @description In UTC.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description In UTC.
             */
            updatedAt?: string;
            employees?: components["schemas"]["Employees"];
            industryClassifications?: components["schemas"]["IndustryClassification"][];
        };
        /** @description The registered address of a company (§2.2). */
        Address: {
            line1?: string;
            line2?: string;
            city?: string;
            /**
             * @description ISO 3166-1 alpha-3 code.
             * @example JPN
             */
            country?: string;
            postalCode?: string;
        };
        /** @description A person who represents a company (§2.2). */
        Representative: {
            fullName?: string;
            /** @example DIRECTOR */
            role?: string;
            email?: string;
            phone?: string;
            /**
             * Format: date
             * @description Date of birth.
             */
            dob?: string;
        };
        /** @description The employees of a company (§2.2). */
        Employees: {
            /** @example REPORTED */
            employeeCountType?: string;
            nonConsolidated?: components["schemas"]["EmployeeCount"] | null;
            /** @description An object whose shape is not shown, or null. */
            consolidated?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A count of employees (§2.2). */
        EmployeeCount: {
            employeeCount?: number;
            numberOfOfficers?: number;
            /** @description A value or null. The type of the value is not shown. */
            employeeRange?: unknown;
            /** Format: date-time */
            updatedAt?: string;
        };
        /** @description The codes of a company in one classification standard (§2.2). */
        IndustryClassification: {
            /** @description Names the standard. */
            standard?: string;
            codes?: components["schemas"]["ClassificationCode"][];
        };
        /** @description One code of a classification standard (§2.2). */
        ClassificationCode: {
            code?: string;
            description?: string;
        };
        /** @description The fiscal years of one company (§2.3). */
        CompanyFinancials: {
            /** Format: uuid */
            companyId: string;
            /** @description The years. Their order, and whether a fiscal year can occur more than once, is not shown. */
            years: components["schemas"]["FinancialYear"][];
        };
        /** @description One fiscal year of a company (§2.3). */
        FinancialYear: {
            /** @description Fiscal year. */
            year: number;
            /** @description Currency code of the amounts. */
            currency?: string;
            /** @example ANNUAL */
            periodType?: string;
            /** @example FY4 */
            period?: string;
            /** @description Present in the answer for one company; for several it is not shown. */
            periodYear?: number;
            /**
             * Format: date
             * @description Present in the answer for one company; for several it is not shown.
             */
            financialPeriodStart?: string;
            /**
             * Format: date
             * @description Present in the answer for one company; for several it is not shown.
             */
            financialPeriodEnd?: string;
            /** @example FULL */
            financialType?: string;
            statements: components["schemas"]["Statement"][];
        };
        /** @description One statement of a fiscal year (§2.3). x-metric-names lists the names that occur, by statementType. */
        Statement: {
            /**
             * @description One of the three statements the document names.
             * @example INCOME_STATEMENT
             * @example BALANCE_SHEET
             * @example CASH_FLOW
             */
            statementType: string;
            /** @example CONSOLIDATED */
            consolidationType?: string;
            metrics: components["schemas"]["Metric"][];
        };
        /** @description One number of a statement (§2.3). */
        Metric: {
            /**
             * @example Revenue
             * @example Total Assets
             * @example Operating Cash Flow
             */
            name: string;
            /** @description May be negative. Whether amounts are whole units of the currency is not shown. */
            value: number;
        };
        /** @description Which companies and which year are asked for; at least one of the two lists is given (§4.2). */
        FinancialsRequest: {
            companyIds?: string[];
            /** @description Registration numbers. */
            identifiers?: string[];
            /** @description Fiscal year. Left out, all available years are returned. */
            year?: number;
        };
        /** @description A company with its classifications (§2.4). */
        TaxonomyCompany: {
            /** Format: uuid */
            companyId: string;
            companyFormalName?: string;
            companyLegalName?: string;
            companyEnglishName?: string;
            companyInformalName?: string | null;
            /**
             * @description ISO 3166-1 alpha-3 code.
             * @example JPN
             */
            countryCode?: string;
            countryName?: string;
            /** @description A year as text. */
            foundedYear?: string;
            /** @description A URL. */
            website?: string;
            /** @description Null for a company that is not listed. */
            tickerSymbol?: string | null;
            exchangeName?: string | null;
            exchangeCode?: string | null;
            exchangeCountry?: string | null;
            /**
             * Format: date
             * @description Null for a company that is not listed.
             */
            listingDate?: string | null;
            isPublic?: boolean;
            isActive?: boolean;
            taxonomy: components["schemas"]["TaxonomyEntry"][];
        };
        /** @description One classification of a company (§2.4). */
        TaxonomyEntry: {
            sectorId?: string;
            sectorName?: string;
            subSectorId?: string;
            subSectorName?: string;
            industryId?: string;
            industryName?: string;
            isPrimaryIndustry?: boolean;
            analystMapped?: boolean;
            /**
             * @description Meaning and range are not shown. 0.0 occurs for an analyst-mapped primary entry, 0.85 for another one.
             * @example 0
             * @example 0.85
             */
            score?: number;
        };
        /** @description The top level of the tree (§2.5). */
        Sector: {
            sectorId: string;
            sectorName: string;
            subSectors: components["schemas"]["SubSector"][];
        };
        /** @description The middle level of the tree (§2.5). */
        SubSector: {
            subSectorId: string;
            subSectorName: string;
            description?: string;
            industries: components["schemas"]["Industry"][];
        };
        /** @description The lowest level of the tree (§2.5). */
        Industry: {
            industryId: string;
            industryName: string;
            description?: string;
        };
        /** @description The page views of a listed company within the range (§2.6). */
        CompanyRanking: {
            companyName: string;
            tickerSymbol?: string | null;
            headquarters: string;
            /** Format: int64 */
            totalPageViews: number;
            /** Format: int64 */
            totalUniquePageViews: number;
            /** @description Null when there is no engagement data. */
            engagementTime?: components["schemas"]["EngagementTime"] | null;
        };
        /** @description The same, with totals across all page types, and the statistics of each page type (§2.6). */
        CompanyPageRanking: components["schemas"]["CompanyRanking"] & {
            /** @description Statistics by page type. Null under a key means that all its statistics are zero. */
            pages: {
                [key: string]: components["schemas"]["PageStatsValue"] | null;
            };
        };
        /**
         * @description The 18 page types: company overview, competitor overview, segment comparison, news, M&A, shareholders, executives
         *     chart, affiliates, stock prices, investor relations, stats, technology, financial results, segment, KPI charts,
         *     estimates, beta, functionality (§2.6).
         * @enum {string}
         */
        PageType: "OVERVIEW" | "COMPETITOR_OVERVIEW" | "SEGMENT_COMPARISON" | "NEWS" | "MA" | "SHAREHOLDERS" | "EXECUTIVES_CHART" | "AFFILIATES" | "STOCK_PRICES" | "INVESTOR_RELATIONS" | "STATS" | "TECHNOLOGY" | "FINANCIAL_RESULTS" | "SEGMENT" | "KPI_CHARTS" | "ESTIMATES" | "BETA" | "FUNCTIONALITY";
        /** @description The statistics of one page type (§2.6). */
        PageStatsValue: {
            /** Format: int64 */
            totalPageViews: number;
            /** Format: int64 */
            totalUniquePageViews: number;
            engagementTime?: components["schemas"]["EngagementTime"] | null;
        };
        /** @description Engagement in minutes (§2.6). */
        EngagementTime: {
            /** Format: double */
            avg: number;
            /** Format: double */
            min?: number | null;
            /** Format: double */
            max?: number | null;
        };
        /** @description The page views of an industry within the range (§2.6). */
        IndustryRanking: {
            industryId: string;
            industryName: string;
            industryDescription: string;
            sectorName: string;
            subSectorName: string;
            /** Format: int64 */
            totalPageViews: number;
            /** Format: int64 */
            totalUniquePageViews: number;
        };
        /** @description A page of companies (§2.1). */
        CompanyPage: {
            data: components["schemas"]["Company"][];
            /**
             * Format: int32
             * @description Current page, counted from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description Page size used.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description Number of elements across all pages.
             */
            total: number;
        };
        /** @description A page of financials (§2.1). */
        CompanyFinancialsPage: {
            data: components["schemas"]["CompanyFinancials"][];
            /**
             * Format: int32
             * @description Current page, counted from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description Page size used.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description Number of elements across all pages.
             */
            total: number;
        };
        /** @description A page of classified companies (§2.1). */
        TaxonomyCompanyPage: {
            data: components["schemas"]["TaxonomyCompany"][];
            /**
             * Format: int32
             * @description Current page, counted from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description Page size used.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description Number of elements across all pages.
             */
            total: number;
        };
        /** @description A page of ranked companies (§2.1). */
        CompanyRankingPage: {
            data: components["schemas"]["CompanyRanking"][];
            /**
             * Format: int32
             * @description Current page, counted from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description Page size used.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description Number of elements across all pages.
             */
            total: number;
        };
        /** @description A page of ranked companies with their page types (§2.1). */
        CompanyPageRankingPage: {
            data: components["schemas"]["CompanyPageRanking"][];
            /**
             * Format: int32
             * @description Current page, counted from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description Page size used.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description Number of elements across all pages.
             */
            total: number;
        };
        /** @description A page of ranked industries (§2.1). */
        IndustryRankingPage: {
            data: components["schemas"]["IndustryRanking"][];
            /**
             * Format: int32
             * @description Current page, counted from 1.
             */
            page: number;
            /**
             * Format: int32
             * @description Page size used.
             */
            pageSize: number;
            /**
             * Format: int64
             * @description Number of elements across all pages.
             */
            total: number;
        };
        /** @description An error of the ranking family (§7). */
        ErrorBody: {
            error: {
                /** @description A code for machines. Its values are not shown. */
                code: string;
                /** @description A text for people. */
                message: string;
                /** @description Quote it when asking the provider for support. */
                traceId?: string | null;
                /** @description One entry for each field that failed validation. */
                details?: components["schemas"]["ErrorDetail"][] | null;
            };
        };
        /** @description Why one field failed validation (§7). */
        ErrorDetail: {
            /** @description The field that failed. */
            field: string;
            /** @description What is wrong with it. */
            issue: string;
        };
    };
    responses: {
        /**
         * @description The companies under the node, in a body that is not shown: perhaps a page envelope of TaxonomyCompany, as the
         *     list of companies has it.
         */
        GroupingCompanies: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": unknown;
            };
        };
        /** @description No company has this id (§7). The body is not shown. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": unknown;
            };
        };
        /** @description Any other refusal or failure. Neither its status nor its body is shown. */
        Failure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": unknown;
            };
        };
        /** @description A refusal or failure of the ranking family (§7). Its status is not shown. */
        RankingFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description A refusal or failure of the token endpoint. Neither its status nor its body is shown. */
        TokenFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": unknown;
            };
        };
    };
    parameters: {
        /**
         * @description ISO 3166-1 alpha-3 code of the country, or ALL. Which countries hold data, and what ALL gives a client without
         *     access to all of them, is not shown.
         */
        country: string;
        /** @description Id of the company. */
        companyId: string;
        /** @description Which companies are listed. */
        companyType: "PUBLIC" | "PRIVATE" | "ALL";
        /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
        page: number;
        /** @description Items per page. The largest and smallest accepted values are not shown. */
        pageSize: number;
        /**
         * @description With true, every classification of each company is returned. What the taxonomy array holds with false is not
         *     shown.
         */
        showAllIndustries: boolean;
        /**
         * @description Start of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the start itself is
         *     inside, and how far back or how wide a range may be is not shown.
         */
        startDatetime: string;
        /**
         * @description End of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the end itself is
         *     inside, and how far back or how wide a range may be is not shown.
         */
        endDatetime: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description An access token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            "4XX": components["responses"]["TokenFailure"];
            default: components["responses"]["TokenFailure"];
        };
    };
    searchCompanies: {
        parameters: {
            query: {
                /**
                 * @description ISO 3166-1 alpha-3 code of the country, or ALL. Which countries hold data, and what ALL gives a client without
                 *     access to all of them, is not shown.
                 */
                country: components["parameters"]["country"];
                /** @description Keeps the companies with this registration number "or other id" (§4.2). */
                identifier?: string;
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: components["parameters"]["pageSize"];
                /** @description A sort field. Which fields are accepted, and how a direction is written, is not shown. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of companies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyPage"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    getCompany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the company. */
                companyId: components["parameters"]["companyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The company, without an envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Company"];
                };
            };
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    getCompanyFinancials: {
        parameters: {
            query?: {
                /** @description Fiscal year. Left out, all years are returned. */
                year?: number;
            };
            header?: never;
            path: {
                /** @description Id of the company. */
                companyId: components["parameters"]["companyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The financials, without an envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyFinancials"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    getFinancialsOfMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinancialsRequest"];
            };
        };
        responses: {
            /** @description A page of financials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyFinancialsPage"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    listTaxonomyCompanies: {
        parameters: {
            query: {
                /**
                 * @description ISO 3166-1 alpha-3 code of the country, or ALL. Which countries hold data, and what ALL gives a client without
                 *     access to all of them, is not shown.
                 */
                country: components["parameters"]["country"];
                /** @description Which companies are listed. */
                company_type: components["parameters"]["companyType"];
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: components["parameters"]["pageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of classified companies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxonomyCompanyPage"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    getTaxonomyCompany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the company. */
                companyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The classified company, without an envelope. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxonomyCompany"];
                };
            };
            404: components["responses"]["NotFound"];
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    listIndustryCompanies: {
        parameters: {
            query: {
                /**
                 * @description ISO 3166-1 alpha-3 code of the country, or ALL. Which countries hold data, and what ALL gives a client without
                 *     access to all of them, is not shown.
                 */
                country: components["parameters"]["country"];
                /** @description Which companies are listed. */
                company_type: components["parameters"]["companyType"];
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: components["parameters"]["pageSize"];
                /**
                 * @description With true, every classification of each company is returned. What the taxonomy array holds with false is not
                 *     shown.
                 */
                show_all_industries?: components["parameters"]["showAllIndustries"];
            };
            header?: never;
            path: {
                /** @description Id of the industry. */
                industryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupingCompanies"];
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    listSubSectorCompanies: {
        parameters: {
            query: {
                /**
                 * @description ISO 3166-1 alpha-3 code of the country, or ALL. Which countries hold data, and what ALL gives a client without
                 *     access to all of them, is not shown.
                 */
                country: components["parameters"]["country"];
                /** @description Which companies are listed. */
                company_type: components["parameters"]["companyType"];
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: components["parameters"]["pageSize"];
                /**
                 * @description With true, every classification of each company is returned. What the taxonomy array holds with false is not
                 *     shown.
                 */
                show_all_industries?: components["parameters"]["showAllIndustries"];
            };
            header?: never;
            path: {
                /** @description Id of the sub-sector. */
                subSectorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupingCompanies"];
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    listSectorCompanies: {
        parameters: {
            query: {
                /**
                 * @description ISO 3166-1 alpha-3 code of the country, or ALL. Which countries hold data, and what ALL gives a client without
                 *     access to all of them, is not shown.
                 */
                country: components["parameters"]["country"];
                /** @description Which companies are listed. */
                company_type: components["parameters"]["companyType"];
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: components["parameters"]["pageSize"];
                /**
                 * @description With true, every classification of each company is returned. What the taxonomy array holds with false is not
                 *     shown.
                 */
                show_all_industries?: components["parameters"]["showAllIndustries"];
            };
            header?: never;
            path: {
                /** @description Id of the sector. */
                sectorId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupingCompanies"];
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    getTaxonomyTree: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sectors, as a bare array. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sector"][];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    rankCompanies: {
        parameters: {
            query: {
                /**
                 * @description Start of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the start itself is
                 *     inside, and how far back or how wide a range may be is not shown.
                 */
                start_datetime: components["parameters"]["startDatetime"];
                /**
                 * @description End of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the end itself is
                 *     inside, and how far back or how wide a range may be is not shown.
                 */
                end_datetime: components["parameters"]["endDatetime"];
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: components["parameters"]["pageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ranked companies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyRankingPage"];
                };
            };
            "4XX": components["responses"]["RankingFailure"];
            default: components["responses"]["RankingFailure"];
        };
    };
    rankCompanyPages: {
        parameters: {
            query: {
                /**
                 * @description Start of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the start itself is
                 *     inside, and how far back or how wide a range may be is not shown.
                 */
                start_datetime: components["parameters"]["startDatetime"];
                /**
                 * @description End of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the end itself is
                 *     inside, and how far back or how wide a range may be is not shown.
                 */
                end_datetime: components["parameters"]["endDatetime"];
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: components["parameters"]["pageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ranked companies with their page types. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyPageRankingPage"];
                };
            };
            "4XX": components["responses"]["RankingFailure"];
            default: components["responses"]["RankingFailure"];
        };
    };
    rankIndustries: {
        parameters: {
            query: {
                /**
                 * @description Start of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the start itself is
                 *     inside, and how far back or how wide a range may be is not shown.
                 */
                start_datetime: components["parameters"]["startDatetime"];
                /**
                 * @description End of the range, written yyyy-MM-dd'T'HH:mm:ss without an offset. The time zone, whether the end itself is
                 *     inside, and how far back or how wide a range may be is not shown.
                 */
                end_datetime: components["parameters"]["endDatetime"];
                /** @description Number of the page; pages start at 1. What a number past the last page, or below 1, gives is not shown. */
                page?: components["parameters"]["page"];
                /** @description Items per page. The largest and smallest accepted values are not shown. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of ranked industries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndustryRankingPage"];
                };
            };
            "4XX": components["responses"]["RankingFailure"];
            default: components["responses"]["RankingFailure"];
        };
    };
    listCompaniesWalkThrough: {
        parameters: {
            query?: {
                /** @description A three-letter country code. */
                country?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An answer whose shape is not shown. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
}
