/** The public interface of the part record: programs that sign in, their secrets, and the networks they may come from. */
export { checkInput, findCidrProblems, issuedRules, principalRules, durationSeconds } from './check-input.ts';
export { type AddressCheck, compileCidrs, liesWithin } from './cidr.ts';
export { type Refusals, createRefusals } from './refusals.ts';
export { credentialSlot } from './slots.ts';
export { createMemory } from './remember.ts';
export { importPublicKey, makeClientId, makeSecret, secretMatches } from './secret.ts';
export {
  type AllCredentialsFilter,
  type CredentialBounds,
  type CredentialFilter,
  type CredentialKind,
  type CredentialRow,
  type OwnedCredentialRow,
  countLiveCredentials,
  findCredential,
  insertCredential,
  listAllCredentials,
  listCredentialNames,
  listCredentials,
  lockBounds,
  lockCredential,
  removeCredential,
  removeCredentialsOf,
  updateCredential,
} from './store.ts';
