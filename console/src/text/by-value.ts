/** Tables over the enums of the contract. */
export type { ByValue } from '../../../src/client/by-value.ts';
