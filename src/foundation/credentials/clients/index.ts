/** The public interface of the part clients: making, narrowing and ending credentials and service principals. */
export {
  createConnectorCredential,
  getConnectorCredential,
  listConnectorCredentials,
  revokeConnectorCredential,
} from './connector-credentials.ts';
export { createCredential, issueCredential } from './create-credential.ts';
export { changeCredential, getCredential, listOwnCredentials, revokeCredential, searchCredentials } from './manage-credentials.ts';
export { findCaller, hasNoBounds } from './permit.ts';
export { createPrincipalService } from './service-principals.ts';
export { credentialSearchService } from './service-search.ts';
export { shapeCredential } from './view.ts';
