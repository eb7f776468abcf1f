/** The record of a signature: the text that is signed, byte for byte. What is personal in it is a commitment, so that it can be erased. Pure. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { commitment } from '../../lib/log/commitment.ts';

/** Person who signs, as the record commits to them; the members are those of people in a bundle of evidence. */
export interface SignerFacts {
  readonly department: string;
  readonly displayName: string;
  readonly email: string;
  readonly employeeId: string;
  readonly employmentStatus: string;
  readonly employmentType: string;
  readonly jobTitle: string;
  readonly managerId: string;
  readonly profile: Readonly<Record<string, never>>;
  readonly status: string;
}

/** A decision that is signed. */
export interface SignedDecision {
  readonly itemId: string;
  readonly actionId: string;
  readonly decision: 'CERTIFY' | 'DENY';
  readonly step: number;
  readonly comment: string;
  /** Until when alone it is certified. */
  readonly until?: Date | undefined;
  /** True if it amends one. */
  readonly amends?: boolean;
}

/** Acknowledgement that is signed: how the items of a review stood, and the digest of every decision. */
export interface SignedAcknowledgement {
  readonly counts: Readonly<Record<string, number>>;
  readonly digest: string;
  readonly comment: string;
}

/** Decisions or the acknowledgement that somebody signs. */
export type RecordSubject = { readonly decisions: readonly SignedDecision[] } | { readonly acknowledgement: SignedAcknowledgement };

/** All that a record says. */
export interface RecordFacts {
  readonly tenantId: string;
  /** The name of the tenant's log. */
  readonly origin: string;
  readonly review: { readonly id: string; readonly name: string };
  /** The id of the submission, or of the acknowledgement. */
  readonly submissionId: string;
  readonly at: Date;
  readonly signerId: string;
  readonly person: SignerFacts;
  readonly meaning: string;
  readonly subject: RecordSubject;
}

/** The salts of its commitments: of the person, and of comments by action, or by the id of the acknowledgement. */
export interface RecordSalts {
  readonly person: Buffer;
  readonly comment: (actionId: string) => Buffer;
}

/** Writes the record of a submission or an acknowledgement. */
export function writeRecord(facts: RecordFacts, salts: RecordSalts): string {
  const { tenantId: tenant, origin, review, submissionId: submission, meaning } = facts;
  return canonicalJson({
    v: 1,
    ...{ tenant, origin, review, submission, meaning },
    at: facts.at.toISOString(),
    signer: { id: facts.signerId, person: commitment(salts.person, facts.person).toString('hex') },
    ...describeSubject(facts, salts),
  });
}

function describeSubject({ subject, submissionId }: RecordFacts, salts: RecordSalts) {
  const commitTo = (id: string, comment: string): string | null =>
    comment === '' ? null : commitment(salts.comment(id), comment).toString('hex');
  if ('acknowledgement' in subject) {
    const { counts, digest, comment } = subject.acknowledgement;
    return { type: 'countersign.acknowledgement', counts: { ...counts }, digest, comment: commitTo(submissionId, comment) };
  }
  return {
    type: 'countersign.submission',
    decisions: subject.decisions.map(({ itemId, actionId, decision, step, comment, until, amends = false }) => ({
      item: itemId,
      action: actionId,
      decision,
      step,
      comment: commitTo(actionId, comment),
      ...(until === undefined ? {} : { until: until.toISOString() }),
      ...(amends ? { amends } : {}),
    })),
  };
}

/** SHA-256 of a text, in hex. */
export function sha256Of(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
