import { firm } from "../firm";
import type { Feature } from "./feature";

/** What the companion of one person does without: whoever removes a folder and its lines here has removed a feature. */
export const FEATURES: readonly Feature[] = [firm];
