/**
 * Sample requests of the operations about people.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const peopleSamples: Readonly<Record<string, MakeSample>> = {};
