/** The contract's service about records of people: each method calls one rule and shapes the reply. */
import { type PersonRecord, PersonRecordService, PersonRecordVerdict as WireVerdict } from '../../gen/countersign/v1/person_records_pb.js';
import { invalidField } from '../../errors.ts';
import { wantedText } from '../../lib/where.ts';
import { readPage } from '../../wire/page.ts';
import type { Row } from '../../wire/row.ts';
import { implement } from '../../wire/service.ts';
import { type Answer, answerRecord, requireRecord } from './answer.ts';
import { countDisputed, listRecords, type ListedRecord } from './store-lists.ts';

function shapeRecord({ reason, ...row }: ListedRecord): Row<PersonRecord> {
  return { ...row, reason: reason === '' ? 'UNSPECIFIED' : reason };
}

function readVerdict(verdict: WireVerdict): Answer['verdict'] {
  switch (verdict) {
    case WireVerdict.SAME_PERSON:
      return 'SAME_PERSON';
    case WireVerdict.NEW_PERSON:
      return 'NEW_PERSON';
    case WireVerdict.IGNORED:
      return 'IGNORED';
    default:
      throw invalidField('verdict', 'must be SAME_PERSON, NEW_PERSON or IGNORED');
  }
}

/** The records that a list of those of nobody shows. */
function readListed(verdict: WireVerdict): 'DISPUTED' | 'IGNORED' {
  switch (verdict) {
    case WireVerdict.UNSPECIFIED:
    case WireVerdict.DISPUTED:
      return 'DISPUTED';
    case WireVerdict.IGNORED:
      return 'IGNORED';
    default:
      throw invalidField('verdict', "must be DISPUTED or IGNORED: records that are somebody's are listed with their person");
  }
}

const personRecordService = implement(PersonRecordService, {
  list: async (context, request, call) => {
    const filter = { sourceId: wantedText(request.sourceId), userId: wantedText(request.userId) };
    const { rows, nextPageToken } = await readPage(call, (after, limit) => listRecords(context, filter, after, limit));
    return { list: rows.map(shapeRecord), nextPageToken };
  },
  listDisputed: async (context, request, call) => {
    const filter = { sourceId: wantedText(request.sourceId), verdict: readListed(request.verdict) };
    const { rows, nextPageToken } = await readPage(call, (after, limit) => listRecords(context, filter, after, limit));
    return { list: rows.map(shapeRecord), nextPageToken, disputedCount: await countDisputed(context) };
  },
  get: async (context, { id }) => ({ record: shapeRecord(await requireRecord(context, id)) }),
  answer: async (context, { id, verdict, userId }) => {
    await answerRecord(context, id, { verdict: readVerdict(verdict), userId });
    return { record: shapeRecord(await requireRecord(context, id)) };
  },
});

/** Services of the module. */
export const services = [personRecordService];
