/** The record of a signature: the text that is signed, byte for byte. What is personal in it is a commitment, so that it can be erased. Pure. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { commitment, saltLength } from '../../lib/log/commitment.ts';

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

function commitComment(salt: RecordSalts['comment'], id: string, comment: string): string | null {
  return comment === '' ? null : commitment(salt(id), comment).toString('hex');
}

function describeSubject({ subject, submissionId }: RecordFacts, salts: RecordSalts) {
  if ('acknowledgement' in subject) {
    const { counts, digest, comment } = subject.acknowledgement;
    return {
      type: 'countersign.acknowledgement',
      counts: { ...counts },
      digest,
      comment: commitComment(salts.comment, submissionId, comment),
    };
  }
  return {
    type: 'countersign.submission',
    decisions: subject.decisions.map((one) => describeDecision(one, salts.comment)),
  };
}

/** A decision with its members in the order of canonical JSON. */
function describeDecision(
  { itemId: item, actionId: action, decision, step, comment, until, amends = false }: SignedDecision,
  salt: RecordSalts['comment'],
) {
  return {
    action,
    ...(amends ? { amends } : {}),
    comment: commitComment(salt, action, comment),
    ...{ decision, item, step },
    ...(until === undefined ? {} : { until: until.toISOString() }),
  };
}

/** True if a record is over these decisions and no others. Both have their members in one order, so that their texts compare. */
export function isOver(record: string, decisions: readonly SignedDecision[], salts: Readonly<Record<string, string>>): boolean {
  const { decisions: signed = [] } = JSON.parse(record) as { decisions?: readonly object[] };
  const saltOf = (actionId: string): Buffer => Buffer.from(salts[actionId] ?? '', 'hex');
  const isSalted = decisions.every(({ actionId, comment }) => comment === '' || saltOf(actionId).length === saltLength);
  return isSalted && JSON.stringify(signed) === JSON.stringify(decisions.map((one) => describeDecision(one, saltOf)));
}

/** SHA-256 of a text, in hex. */
export function sha256Of(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
