/** Names from outside, with what nobody sees in them written by its number, as mails and the command line have them. */
export { hasNothingToSee, quoteName, showHidden } from '../../../src/lib/names/visible-text.ts';
