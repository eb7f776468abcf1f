/** Signed submissions and acknowledgements with all that somebody checks them with, and the keys that they rest on, which whoever checks should have from elsewhere. */
import { createPublicKey } from 'node:crypto';
import type { Context } from '../../context.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { listProofs, listProviderKeys, listSigners, type SignatureProof } from '../../foundation/signatures/index.ts';
import { type BundleMember, lineMember, wholeMember } from './member.ts';

/** Signatures of one block: the record of a submission of 1,000 decisions has some 250 KB. */
const signaturesPerBlock = 20;

function lineOfProof(proof: SignatureProof): string {
  const { provider, timeStamp, comment, commentSalt } = proof;
  return canonicalJson({
    ...(comment === '' ? {} : { comment: { salt: commentSalt, text: comment } }),
    credential: proof.credentialId,
    credentialKey: proof.credentialKey,
    credentialSignature: proof.credentialSignature,
    event: proof.eventId,
    id: proof.id,
    idToken: proof.idToken,
    ...(proof.erasedToken === '' ? {} : { idTokenSha256: proof.erasedToken }),
    meaning: proof.meaning,
    printedName: proof.printedName,
    provider: provider === null ? null : { acrValues: provider.acrValues, audience: provider.audience, issuer: provider.issuer },
    record: proof.record,
    signedAt: proof.signedAt.toISOString(),
    submission: proof.submissionId,
    ...(proof.stepUp === null ? {} : { stepUp: proof.stepUp as Readonly<Record<string, string>> }),
    timestamp: timeStamp?.toString('base64') ?? '',
    timestampServer: proof.timeStampServer,
    transaction: proof.transactionId,
  });
}

export const signatureMembers: readonly BundleMember[] = [
  lineMember(
    'signers.jsonl',
    listSigners,
    ({ id, commitment }) => [id, commitment],
    ({ id, commitment, person, salt }) => canonicalJson(salt === '' ? { id, commitment, erased: true } : { id, commitment, person, salt }),
  ),
  lineMember(
    'signatures.jsonl',
    (context, reviewId, [after = ''], limit) => listProofs(context, reviewId, after, limit),
    ({ id }) => [id],
    lineOfProof,
    undefined,
    signaturesPerBlock,
  ),
];

/** The keys of identity providers, each once, as a JSON Web Key Set and as PEM by their ids. */
async function writeProviderKeys(context: Context, reviewId: string): Promise<string> {
  const keys = (await listProviderKeys(context, reviewId)).map((key) => ({ key, text: canonicalJson(key as never) }));
  const list = keys.sort((one, other) => (one.text < other.text ? -1 : 1)).map(({ key }) => key);
  const pem = list.map((key) => [
    String(key['kid'] ?? ''),
    createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
  ]);
  return canonicalJson({ keys: list, pem: Object.fromEntries(pem) as Record<string, string> });
}

/** Keys that the signatures of a review rest on. */
export const keyMembers: readonly BundleMember[] = [
  wholeMember('keys/tsa-roots.pem', async ({ db }) => db.vault.timeStamps.pem),
  wholeMember('keys/idp.json', (context, { review }) => writeProviderKeys(context, review.id)),
];
