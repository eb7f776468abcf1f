/** Holds actions of signed submissions to the records that were signed, each member that says what was decided; and signatures to the terms of their review. */
import type { Context } from '../../context.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import type { EntryRow } from '../../foundation/audit/index.ts';
import { groupSigningEvents, listSignedRecords, type SignedRecord } from '../../foundation/signatures/index.ts';
import { listActionRows, mapTerms } from './store-actions.ts';
import { type ActionLine, describeSigned } from './task/index.ts';

/** Actions and signatures that are named one by one. */
const maxNamed = 100;

interface RecordedDecision {
  readonly action?: unknown;
}

/** The decisions of a record by their actions, each as canonical text. */
function readDecisions(record: string): Map<string, string> {
  try {
    const { decisions = [] } = JSON.parse(record) as { decisions?: readonly RecordedDecision[] };
    return new Map(decisions.map((one) => [String(one.action), canonicalJson(one)]));
  } catch {
    return new Map();
  }
}

function compareDecisions({ id, record }: SignedRecord, actions: readonly ActionLine[]): string[] {
  const signed = readDecisions(record);
  const count = signed.size;
  const wrong = actions.flatMap((action) => {
    const said = describeSigned(action);
    if (said === undefined) {
      return [];
    }
    const isSigned = signed.get(action.id) === canonicalJson(said);
    signed.delete(action.id);
    return isSigned ? [] : [`task_actions ${action.id} of task ${action.taskId}: is not what signature ${id} is over.`];
  });
  return [
    ...wrong.slice(0, maxNamed),
    ...(signed.size > 0 ? [`signatures ${id}: ${signed.size} of the ${count} decisions that it is over are gone.`] : []),
  ];
}

/** Says which actions that these events recorded are not what was signed, and which signatures were given on other terms than those of their review. */
export async function listUnsigned(context: Context, entries: readonly EntryRow[]): Promise<string[]> {
  const sentences: string[] = [];
  for (const group of groupSigningEvents(entries)) {
    const eventIds = group.map(({ eventId }) => eventId);
    const records = await listSignedRecords(context, eventIds, 2 * eventIds.length);
    const terms = await mapTerms(
      context,
      records.map(({ reviewId }) => reviewId),
    );
    const actions = Map.groupBy(records.length === 0 ? [] : await listActionRows(context, eventIds), ({ eventId }) => eventId);
    for (const one of records) {
      sentences.push(...compareDecisions(one, actions.get(one.eventId) ?? []));
      const asked = terms.get(one.reviewId);
      if (asked?.meaning !== one.meaning || asked.providerId !== one.providerId || asked.tspUrl !== one.tspUrl) {
        sentences.push(`signatures ${one.id}: its meaning, provider or time stamp server is not the one that its review asks for.`);
      }
    }
  }
  return sentences;
}
