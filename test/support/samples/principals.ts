/**
 * Sample requests of the operations about principals.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const principalsSamples: Readonly<Record<string, MakeSample>> = {};
