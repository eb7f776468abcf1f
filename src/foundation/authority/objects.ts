/**
 * Objects an operation reaches, by how somebody stands to them, and the whole expectation that follows for an operation: docs/authority.md is made
 * of this, and a test asks every operation as every kind of actor. The rules of the modules decide; nothing here is asked while serving.
 */
import type { Actor } from '../../context.ts';
import { isBySession, isThemselves } from './actors.ts';
import { refuseAnswer } from './answer.ts';
import type { Demand } from './acts.ts';
import { holds } from './permissions.ts';

/** Ways to stand to the objects of an operation, with its permission. Roles come first: who reads everything reads this, too. */
export const standings = [
  ...(['SUPER', 'CAMPAIGN', 'CREATOR', 'READER', 'OWNER', 'REVIEWER', 'DELEGATE', 'ACKNOWLEDGER'] as const),
  ...(['SUBJECT', 'APP_OWNER', 'ENTITLEMENT_OWNER', 'SOURCE_OWNER', 'OTHER'] as const),
];
/**
 * See `standings`: OWNER owns the review, REVIEWER has tasks in it or is asked in its second review, DELEGATE decides in the reviewer's place,
 * ACKNOWLEDGER may acknowledge the review's decisions, SUBJECT is whose access it asks about, APP_OWNER owns the app and ENTITLEMENT_OWNER the
 * entitlement alone, CREATOR is a Campaign Administrator who made the review and does not own it, CAMPAIGN one who makes other reviews, SOURCE_OWNER
 * owns the source.
 */
export type Standing = (typeof standings)[number];

/** May; is refused by name (403); does not learn that it is there (404); is not known to us at all (401). */
export type Expected = 'yes' | 'no' | 'hidden' | 'unknown';

type Row = Readonly<Record<Standing, Exclude<Expected, 'unknown'>>>;

/** A row by who may and who is refused by name; nobody else learns that it is there. */
function rowOf(may: readonly Standing[], refused: readonly Standing[] = []): Row {
  const answerOf = (standing: Standing) => (may.includes(standing) ? 'yes' : refused.includes(standing) ? 'no' : 'hidden');
  return Object.fromEntries(standings.map((standing) => [standing, answerOf(standing)])) as unknown as Row;
}

/** Those who manage a review, and those who read all of it. */
const managers = ['SUPER', 'OWNER'] as const;
const evidenceReaders = [...managers, 'READER'] as const;
const readers = [...evidenceReaders, 'CREATOR'] as const;
/** Those who are asked about the items of a started review, and those who see no more of it than they. */
const asked = ['REVIEWER', 'DELEGATE'] as const;
const reviewers = [...asked, 'ACKNOWLEDGER'] as const;
/** Those who read the inventory. */
const inventory = ['SUPER', 'CAMPAIGN', 'CREATOR', 'READER'] as const;

/** Objects, by the name that the contract gives them (`countersign.object`), and who reaches them. */
const objectRules = {
  ANY: rowOf(standings),
  CONCERNED: rowOf([...inventory, 'OWNER', ...asked, 'SUBJECT', 'APP_OWNER', 'ENTITLEMENT_OWNER']),
  CONCERNED_APP: rowOf([...inventory, 'OWNER', ...asked, 'SUBJECT', 'APP_OWNER', 'ENTITLEMENT_OWNER', 'SOURCE_OWNER']),
  SELF: rowOf([...inventory, 'SUBJECT']),
  OWN: rowOf(standings),
  OWN_CREDENTIAL: rowOf(['SUPER', 'READER', 'SUBJECT']),
  OWN_CREDENTIAL_MANAGED: rowOf(['SUPER', 'SUBJECT'], ['READER']),
  SESSION_ALONE: rowOf(standings),
  REVIEW_SEEN: rowOf([...readers, ...reviewers]),
  REVIEW_READ: rowOf(readers),
  REVIEW_MANAGED: rowOf(managers, ['READER', 'CREATOR']),
  STARTED_REVIEW_READ: rowOf(readers, reviewers),
  STARTED_REVIEW_MANAGED: rowOf(managers, ['READER', 'CREATOR', ...reviewers]),
  EVIDENCE_READ: rowOf(evidenceReaders, ['CREATOR', ...reviewers]),
  ACKNOWLEDGEMENT_READ: rowOf([...readers, 'ACKNOWLEDGER'], asked),
  ACKNOWLEDGER: rowOf(['ACKNOWLEDGER'], [...readers, ...asked]),
  TOMBSTONE: rowOf(['SUPER', 'READER']),
  TASK_SEEN: rowOf([...evidenceReaders, ...asked]),
  TASK_ASKED: rowOf([...managers, ...asked], ['READER']),
  TASK_ASKED_ALONE: rowOf(asked, evidenceReaders),
  TASK_MANAGED: rowOf(managers, ['READER', ...asked]),
  TASK_CANCELLED: rowOf(['SUPER'], ['OWNER', 'READER', ...asked]),
  SECOND_REVIEWER: rowOf(['REVIEWER'], evidenceReaders),
  OWNED_APP: rowOf([...inventory, 'APP_OWNER']),
  OWNED_ENTITLEMENT: rowOf([...inventory, 'APP_OWNER', 'ENTITLEMENT_OWNER']),
  HELD_ACCESS: rowOf(['SUPER', 'SUBJECT', 'APP_OWNER'], standings),
  REMOVAL_READ: rowOf([...evidenceReaders, 'APP_OWNER']),
  REMOVAL_MANAGED: rowOf([...managers, 'APP_OWNER'], ['READER']),
  OWN_STEP_UP: rowOf(['SUPER', 'READER', 'REVIEWER']),
  SIGNATURE_READ: rowOf([...evidenceReaders, 'REVIEWER']),
  SIGNER: rowOf(['REVIEWER'], evidenceReaders),
  SOURCE_READ: rowOf([...inventory, 'SOURCE_OWNER']),
  SOURCE_RUN: rowOf(['SUPER', 'SOURCE_OWNER'], inventory),
} as const satisfies Readonly<Record<string, Row>>;

/** The name of a rule about objects. */
export type ObjectRule = keyof typeof objectRules;

/** Facts of an operation in the contract. */
export interface Authority extends Demand {
  readonly object: ObjectRule;
  /** True if it changes what signs in: no session that somebody else issued does, nor one whose sign-in is older than ten minutes. */
  readonly needsFreshSignIn: boolean;
}

/** Returns the answer to who stands so to the objects of an operation; `isStale` where they act in a session and signed in long ago. */
export function expectedAnswer(authority: Authority, actor: Actor, standing: Standing, isStale = false): Expected {
  const { permission, act, object, needsFreshSignIn } = authority;
  if (actor.kind === 'anonymous' || actor.kind === 'source') {
    return 'unknown';
  }
  if (!holds(actor, permission) || (act === 'ANSWER' && refuseAnswer(actor) !== undefined)) {
    return 'no';
  }
  if (needsFreshSignIn && (actor.kind === 'issued_session' || isStale)) {
    return 'no';
  }
  if (object === 'SESSION_ALONE' && !isBySession(actor)) {
    return 'no';
  }
  if (object === 'OWN' && !isThemselves(actor)) {
    return 'no';
  }
  // Whoever issues things is a Super Administrator, who reads the first decisions.
  if (object === 'SECOND_REVIEWER' && actor.kind.startsWith('issued_')) {
    return 'no';
  }
  return objectRules[object][standing];
}
