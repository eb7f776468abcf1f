/**
 * Sample requests of the operations about grants.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const grantsSamples: Readonly<Record<string, MakeSample>> = {};
