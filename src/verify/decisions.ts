/** Decisions, the comments on them, and the outcomes that follow. */
import type { Digests } from './digests.ts';
import { eachLine } from './each-line.ts';
import type { Fields } from './fields.ts';
import { HashList } from './hash-list.ts';
import { KeyTable } from './key-table.ts';
import type { Bundle } from './members.ts';
import { commitsTo, type People } from './people.ts';
import { type Signatures, signaturesFile, spellDecision } from './signatures.ts';

const files = { items: 'items.jsonl', decisions: 'decisions.jsonl', comments: 'comments.jsonl', outcomes: 'outcomes.jsonl' } as const;

/** The word of a signed record for a kind of action that decides, or for what an amendment decides. */
const decisionOf: Readonly<Record<string, string>> = { APPROVED: 'CERTIFY', DENIED: 'DENY', APPROVE: 'CERTIFY', DENY: 'DENY' };
/** The kind of action without which no person's decision has this outcome. */
const neededFor: Readonly<Record<string, string>> = { CERTIFIED: 'APPROVED', DECERTIFIED: 'DENIED' };
const bitOf: Readonly<Record<string, number>> = { APPROVED: 1, DENIED: 2 };
/** Outcomes that an action says itself: an amendment, or a step of the policy that decides. */
const kindFor: Readonly<Record<string, string>> = { CERTIFIED: 'APPROVED', DECERTIFIED: 'DENIED', APPROVE: 'APPROVED', DENY: 'DENIED' };

/** The outcomes that an action leads to, as bits. */
function bitsOf(kind: string, data: Fields): number {
  return [kind, kindFor[data.text('outcome')] ?? '', kindFor[data.text('decision')] ?? ''].reduce(
    (bits, one) => bits | (bitOf[one] ?? 0),
    0,
  );
}

/** Seconds between a signed decision and the time stamp over it. */
const maxSkew = 300;

/** Decisions as far as comments and outcomes need them. */
export interface Decided {
  readonly count: number;
  /** Number of the comment on an action, from 1 on. */
  readonly comments: KeyTable;
  /** Commitments by the number of the comment. */
  readonly commitments: HashList;
  /** By the line of the item: which kinds of decisions it has. */
  readonly kinds: Uint8Array;
}

/** Checks that decisions are those that were logged and signed, by people of the bundle on items of it. */
export function checkDecisions(bundle: Bundle, digests: Digests, signatures: Signatures, people: People, items: KeyTable): Decided {
  const { findings } = bundle;
  const kinds = new Uint8Array(items.size + 2);
  const comments = new KeyTable();
  const commitments = new HashList();
  const matched = new Map<string, number>();
  const count = eachLine(bundle, files.decisions, (decision, line, bytes) => {
    const [submission, action] = [decision.text('submission'), decision.text('action')];
    const [item, kind] = [decision.text('item'), decision.text('kind')];
    digests.addDecision(bytes, line, decision.text('event'), submission);
    const place = items.get(item);
    if (place === 0) {
      findings.add(files.decisions, `Decision ${action} is on no item of the review.`, { line, from: [files.items] });
    } else {
      kinds[place] = (kinds[place] ?? 0) | bitsOf(kind, decision.fields('data'));
    }
    const by = decision.text('by');
    if (by !== '' && people.numberOf(by) === 0) {
      findings.add(files.decisions, `Decision ${action} is by ${by}, who is nobody in people.jsonl.`, {
        line,
        from: ['people.jsonl', 'reviewers.jsonl'],
      });
    }
    const comment = decision.textOrNull('comment') ?? null;
    if (comment !== null) {
      const number = comments.size + 1;
      commitments.set(number, comment);
      comments.set(action, number);
    }
    const signature = signatures.bySubmission.get(submission);
    const amends = kind === 'AMENDED';
    const word = decisionOf[amends ? decision.fields('data').text('decision') : kind];
    if (signature === undefined || word === undefined) {
      return;
    }
    const from = [signaturesFile];
    const until = decision.fields('data').text('certifyUntil');
    const spelled = spellDecision({ submission, action, item, decision: word, step: decision.whole('step'), comment, until, amends });
    if (signatures.signed.get(spelled) !== signature.line) {
      const said = `Decision ${action}: submission ${submission} holds other decisions than were signed (${signaturesFile}, line ${signature.line}).`;
      findings.add(files.decisions, said, { line, from });
    } else {
      // Signed once, so written once.
      signatures.signed.set(spelled, -signature.line);
      matched.set(submission, (matched.get(submission) ?? 0) + 1);
    }
    if (by !== signature.signer) {
      findings.add(files.decisions, `Decision ${action} is by ${by}, and ${signature.signer} signed it.`, { line, from });
    }
    const stampedAt = signature.stamp?.at.getTime();
    if (stampedAt !== undefined && !(Math.abs(Date.parse(decision.text('at')) - stampedAt) <= maxSkew * 1000)) {
      findings.add(files.decisions, `Decision ${action} has another time than the time stamp of its signature.`, { line, from });
    }
  });
  for (const { submission, decisions, line } of signatures.list) {
    const found = matched.get(submission) ?? 0;
    if (found < decisions) {
      const said = `${decisions} decisions of submission ${submission} were signed (${signaturesFile}, line ${line}), and ${found} of them are here.`;
      findings.add(files.decisions, said, { from: [signaturesFile] });
    }
  }
  return { count, comments, commitments, kinds };
}

/** Checks that each comment is the one that its decision is committed to, and that none is missing. */
export function checkComments(bundle: Bundle, { comments, commitments }: Decided): number {
  const { findings } = bundle;
  const shown = new Uint8Array(comments.size + 1);
  let found = 0;
  const count = eachLine(bundle, files.comments, (comment, line) => {
    const action = comment.text('action');
    const number = comments.get(action);
    if (number === 0 || shown[number] === 1) {
      findings.add(files.comments, `No decision ${action} has this comment.`, { line, from: [files.decisions] });
      return;
    }
    shown[number] = 1;
    found += 1;
    if (comment.raw['erased'] !== true && !commitsTo(commitments.at(number), comment.text('salt'), comment.text('text'))) {
      findings.add(files.comments, `It is not the comment that was made on decision ${action}.`, { line, from: [files.decisions] });
    }
  });
  if (found < comments.size) {
    findings.add(files.comments, `${comments.size - found} of ${comments.size} comments are missing.`, { from: [files.decisions] });
  }
  return count;
}

/** Outcomes after which access has to be removed. */
const removing: readonly string[] = ['DECERTIFIED', 'REVOKED'];

/** Outcomes as they are there. */
export interface Ended {
  /** Number of items by outcome. */
  readonly outcomes: Map<string, number>;
  /** By the line of the item: 1 where its access has to be removed. */
  readonly denied: Uint8Array;
}

/** Checks that each item has one outcome, and one that a decision on it can have. */
export function checkOutcomes(bundle: Bundle, items: KeyTable, { kinds }: Decided): Ended {
  const { findings } = bundle;
  const outcomes = new Map<string, number>();
  const seen = new Uint8Array(items.size + 2);
  const denied = new Uint8Array(items.size + 2);
  let count = 0;
  eachLine(bundle, files.outcomes, (row, line) => {
    const [item, outcome] = [row.text('item'), row.text('outcome')];
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const place = items.get(item);
    if (place === 0 || seen[place] === 1) {
      findings.add(files.outcomes, `${item} is no item of the review, or has an outcome already.`, { line, from: [files.items] });
      return;
    }
    seen[place] = 1;
    denied[place] = removing.includes(outcome) ? 1 : 0;
    count += 1;
    const needed = row.text('endReason') === 'DECIDED' ? neededFor[outcome] : undefined;
    if (needed !== undefined && ((kinds[place] ?? 0) & (bitOf[needed] ?? 0)) === 0) {
      const said = `Item ${item}: its outcome ${outcome} is not that of the decisions on it.`;
      findings.add(files.outcomes, said, { line, from: [files.decisions, files.items] });
    }
  });
  if (count < items.size) {
    findings.add(files.outcomes, `${items.size - count} of ${items.size} items have no outcome.`, { from: [files.items] });
  }
  return { outcomes, denied };
}
