/** Verifying evidence bundles. It knows lib/ alone, so that it says nothing that the service has to be asked for. */
export { UnreadableError } from './findings.ts';
export { type Verification, verifyBundle } from './verify-bundle.ts';
