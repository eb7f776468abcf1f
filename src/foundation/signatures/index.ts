/** The public interface of the module signatures: who proves anew who they are, and what they sign. What signing decides is in tasks. */
export { beginAndView, beginSigning } from './begin.ts';
export { evidence, groupSigningEvents } from './evidence.ts';
export { listSignedRecords, type SignedRecord } from './store-check.ts';
export {
  countBySigned,
  countSignatures,
  getUnsignedItemsSql,
  getGivenSignatureSql,
  type GivenSignature,
  listOutlines,
  listProofs,
  listProviderKeys,
  listSigners,
  mapSubmissionSignatures,
  type SignatureProof,
} from './store-evidence.ts';
export { endSignatures, prepareSignature, requireSigner, type SignatureTerms } from './prepare.ts';
export { isOver, type SignedDecision } from './record.ts';
export { readRootsFile } from './roots-file.ts';
export { createServices } from './service.ts';
export { ChangedError, signAndAct } from './sign-and-act.ts';
export {
  type Components,
  hashComponents,
  keepSignature,
  lineOfSigned,
  lockPrepared,
  type Signed,
  type Signing,
} from './sign.ts';
export { mapProviderNames, signatureSlot } from './providers/index.ts';
export { endUnsigned, findTermsProblems } from './start.ts';
export { emptySignatures, erasePersonSignatures } from './store-empty.ts';
export { callbackUrl, findTransaction, finishStepUp } from './step-up/index.ts';
export {
  findPreparedByKey,
  findSignature,
  listSignatures,
  listPreparedAbout,
  listWaiting,
  readAgain,
  type SignatureRow,
  type SignatureState,
} from './store.ts';
export { tryTimeStampServer } from './try-time-stamp.ts';
export { viewSignature } from './view.ts';
