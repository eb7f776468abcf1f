/**
 * Sample requests of the operations about profiles.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const profilesSamples: Readonly<Record<string, MakeSample>> = {};
