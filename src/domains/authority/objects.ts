/**
 * Objects an operation reaches, by how somebody stands to them, and the whole expectation that follows for an operation: docs/authority.md is made
 * of this, and a test asks every operation as every kind of actor. The rules of the modules decide; nothing here is asked while serving.
 */
import type { Actor } from '../../context.ts';
import { isBySession } from './actors.ts';
import { refuseAnswer } from './answer.ts';
import type { Demand } from './acts.ts';
import { holds } from './permissions.ts';

/** Ways to stand to the objects of an operation, with its permission. Roles come first: who reads everything reads this, too. */
export const standings = ['SUPER', 'OWNER', 'REVIEWER', 'CAMPAIGN', 'READER', 'SUBJECT', 'APP_OWNER', 'OTHER', 'SOURCE_OWNER'] as const;
/**
 * See `standings`: OWNER owns the review, REVIEWER has tasks in it or is asked in its second review, SUBJECT is whose access it asks about, APP_OWNER
 * owns the app, CAMPAIGN makes other reviews, SOURCE_OWNER owns the source.
 */
export type Standing = (typeof standings)[number];

/** May; is refused by name (403); does not learn that it is there (404); is not known to us at all (401). */
export type Expected = 'yes' | 'no' | 'hidden' | 'unknown';

type Row = Readonly<Record<Standing, Exclude<Expected, 'unknown'>>>;

const words = { y: 'yes', n: 'no', h: 'hidden' } as const;

/** A row by its letters, in the order of `standings`. */
function rowOf(letters: string): Row {
  return Object.fromEntries(standings.map((standing, at) => [standing, words[letters[at] as keyof typeof words]])) as unknown as Row;
}

/** Objects, by the name that the contract gives them (`countersign.object`), and who reaches them. */
const objectRules = {
  ANY: rowOf('yyyyyyyyy'),
  CONCERNED: rowOf('yyyyyyyhh'),
  SELF: rowOf('yhhyyyhhh'),
  OWN_CREDENTIAL: rowOf('yhhhyhhhh'),
  OWN_CREDENTIAL_MANAGED: rowOf('yhhhnhhhh'),
  OWN_SESSION: rowOf('yyyyyyyyy'),
  NOT_ISSUED: rowOf('yyyyyyyyy'),
  REVIEW_READ: rowOf('yyhhyhhhh'),
  REVIEW_MANAGED: rowOf('yyhhnhhhh'),
  STARTED_REVIEW_READ: rowOf('yynhyhhhh'),
  STARTED_REVIEW_MANAGED: rowOf('yynhnhhhh'),
  TOMBSTONE: rowOf('yhhhyhhhh'),
  TASK_SEEN: rowOf('yyyhyhhhh'),
  TASK_ASKED: rowOf('yyyhnhhhh'),
  TASK_ASKED_ALONE: rowOf('nnyhnhhhh'),
  TASK_CANCELLED: rowOf('ynnhnhhhh'),
  ACKNOWLEDGER: rowOf('ynhhnhhhh'),
  SECOND_REVIEWER: rowOf('nnyhnhhhh'),
  OWNED_APP: rowOf('yhhyyhyhh'),
  HELD_ACCESS: rowOf('ynnnnyynn'),
  SESSION_ALONE: rowOf('yyyyyyyyy'),
  REMOVAL_READ: rowOf('yyhhyhyhh'),
  REMOVAL_MANAGED: rowOf('yyhhnhyhh'),
  OWN_STEP_UP: rowOf('yhyhyhhhh'),
  SIGNER: rowOf('nnyhnhhhh'),
  SOURCE_READ: rowOf('yhhyyhhhy'),
  SOURCE_RUN: rowOf('yhhnnhhhy'),
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
  if (object === 'NOT_ISSUED' && actor.kind.startsWith('issued_')) {
    return 'no';
  }
  // Whoever issues things is a Super Administrator, who reads the first decisions.
  if (object === 'SECOND_REVIEWER' && actor.kind.startsWith('issued_')) {
    return 'no';
  }
  return objectRules[object][standing];
}
