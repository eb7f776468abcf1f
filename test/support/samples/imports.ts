/**
 * Sample requests of the operations about imports.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const importsSamples: Readonly<Record<string, MakeSample>> = {};
