/** Holds events against their leaves and their codes: what was changed, removed, put elsewhere, or written past the service. */
import type { KeyObject } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { checkMac, deriveMacKey, type MacVerdict } from '../../../lib/log/event-mac.ts';
import { hashLeaf } from '../../../lib/log/merkle.ts';
import { hashContent, type EntryRow, makeLeaf, listNamedEntries, type LogKey } from '../../audit/index.ts';
import type { CheckState } from './state.ts';

/** An entry whose event is there. */
type Present = EntryRow & { readonly id: string };

/** Keys of codes by generation. */
export type CodeKeys = ReadonlyMap<number, { readonly key: KeyObject | undefined; readonly retiredAt: Date | null }>;

/** Processes that have not heard of a new key write with the old one for a day; another one is for clocks. */
const acceptedBesideMs = 2 * 24 * 3_600_000;

/** The keys of codes of a log. */
export function codeKeysOf(context: Context, keys: readonly LogKey[]): CodeKeys {
  return new Map(
    keys.map(({ generation, secret, retiredAt }) => [
      generation,
      { key: secret === undefined ? undefined : deriveMacKey(secret, context.tenantId, generation), retiredAt },
    ]),
  );
}

type Judged = MacVerdict | 'none' | 'unjudged' | 'foreign';

function judgeCode(context: Context, keys: CodeKeys, row: Present): Judged {
  if (row.mac === null || row.macGeneration === null) {
    return 'none';
  }
  const found = keys.get(row.macGeneration);
  if (found === undefined || (found.retiredAt !== null && row.occurredAt.getTime() > found.retiredAt.getTime() + acceptedBesideMs)) {
    return 'foreign';
  }
  return found.key === undefined ? 'unjudged' : checkMac(found.key, { ...row, tenantId: context.tenantId }, hashContent(row), row.mac);
}

/** The leaf hash of an event at a place of the log. */
function hashAt(tenantId: string, row: Present, place: Pick<EntryRow, 'reviewNumber' | 'reviewPrevious'>): Buffer {
  const { reviewNumber: number, reviewPrevious: previous } = place;
  const at = row.reviewId === '' || number === null || previous === null ? undefined : { id: row.reviewId, number, previous };
  return hashLeaf(Buffer.from(makeLeaf(tenantId, row, at)));
}

function nameEvent({ id, position, kind, occurredAt }: Present): string {
  return `Event ${id} (position ${position}, ${kind}, ${occurredAt.toISOString()})`;
}

/** Says what of an event was changed, as far as its code tells. */
function sayChange(row: Present, code: Judged): string {
  const what =
    typeof code === 'string'
      ? ''
      : code.header && !code.content
        ? ': data'
        : !code.header && code.content
          ? ': who, what or when'
          : !code.header && !code.content
            ? ': data, and who, what or when'
            : ': its leaf, or the time at which the database wrote it';
  return `${nameEvent(row)} is not what was sealed${what}.`;
}

/** Judgement of one entry. */
interface Judgement {
  readonly sentence?: string;
  readonly isMisplaced?: true;
  readonly code: Judged;
}

function judgeEntry(context: Context, keys: CodeKeys, row: EntryRow, hasCodes: boolean): Judgement {
  const { id, position } = row;
  if (id === null) {
    return { sentence: `Position ${position}: its event is gone.`, code: 'unjudged' };
  }
  const event = { ...row, id };
  if (row.reviewId === '' && (row.reviewNumber !== null || row.reviewPrevious !== null)) {
    return { sentence: `Position ${position} has a place in a review, and its event is of none.`, code: 'unjudged' };
  }
  // Nothing reads what says that it was erased.
  if ((event.salt === null && event.contentHash === null) || (event.erasedAt === null) !== (event.contentHash === null)) {
    return { sentence: `${nameEvent(event)} is not what was sealed: data.`, code: 'unjudged' };
  }
  const code = judgeCode(context, keys, event);
  if (!hashAt(context.tenantId, event, row).equals(row.leafHash)) {
    const isOurs = typeof code !== 'string' && code.header && code.content;
    return isOurs ? { isMisplaced: true, code } : { sentence: sayChange(event, code), code };
  }
  const isForeign = code === 'foreign' || (code === 'none' && hasCodes) || (typeof code !== 'string' && !(code.header && code.content));
  return isForeign ? { sentence: `Event ${id} was not written by this service.`, code } : { code };
}

/** Holds entries against their events; what is out of place is said at the end. */
export function checkEvents(
  context: Context,
  keys: CodeKeys,
  rows: readonly EntryRow[],
  state: CheckState,
): { state: CheckState; sentences: string[] } {
  let { hasCodes, uncoded, unjudged } = state;
  const misplaced = [...state.misplaced];
  const sentences: string[] = [];
  for (const row of rows) {
    const { sentence, isMisplaced, code } = judgeEntry(context, keys, row, hasCodes);
    if (sentence !== undefined) {
      sentences.push(sentence);
    }
    if (isMisplaced === true) {
      misplaced.push(row.position);
    }
    hasCodes ||= typeof code !== 'string';
    uncoded += code === 'none' && sentence === undefined ? 1 : 0;
    unjudged += code === 'unjudged' && row.id !== null && sentence === undefined ? 1 : 0;
  }
  return { state: { ...state, hasCodes, uncoded, unjudged, misplaced, events: state.events + rows.length }, sentences };
}

const maxCompared = 500;

/** Events that are ours and not what was sealed at their position: those that stand at each other's places, and the rest. */
export async function sayMisplaced(context: Context, { misplaced }: CheckState): Promise<string[]> {
  const rows = misplaced.length === 0 ? [] : await listNamedEntries(context, [], misplaced.slice(0, maxCompared));
  const present = rows.filter((row): row is Present => row.id !== null);
  return present.map((row) => {
    const isElsewhere = present.some((other) => other !== row && hashAt(context.tenantId, row, other).equals(other.leafHash));
    return isElsewhere
      ? `Position ${row.position} holds another event than was sealed there.`
      : sayChange(row, { header: true, content: true });
  });
}
