/**
 * Sample requests of the operations about resources.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const resourcesSamples: Readonly<Record<string, MakeSample>> = {};
