/**
 * Sample requests of the operations about attributes.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const attributesSamples: Readonly<Record<string, MakeSample>> = {};
