/**
 * Sample requests of the operations about entitlements.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const entitlementsSamples: Readonly<Record<string, MakeSample>> = {};
