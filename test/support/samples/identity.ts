/**
 * Sample requests of the operations about identity.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const identitySamples: Readonly<Record<string, MakeSample>> = {};
