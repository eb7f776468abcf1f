/** Keys of names, as the server makes them: two are the same where their keys are. */
export { getNameKey } from '../../../src/lib/names/same-name.ts';
