/**
 * Sample requests of the operations about connectors.
 */
import type { MakeSample } from './sample.ts';

/** By the name of the operation. */
export const connectorsSamples: Readonly<Record<string, MakeSample>> = {};
