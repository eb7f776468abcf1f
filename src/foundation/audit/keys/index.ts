/** The public interface of the keys of logs: those that vouch for events, and those that sign checkpoints. */
export {
  findKeyStanding,
  findMacKey,
  findSigners,
  listKeys,
  listUnfitTenants,
  type LogKey,
  type MacKey,
  makeNextKey,
  noteKeyOf,
} from './log-keys.ts';
