/** Saying which objects are samples. Nothing about them changes by that. */
import { type Context, inTransaction } from '../../context.ts';
import { type FieldViolation, invalidFields, refuseInvalid } from '../../errors.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { insertMarks, type Kind, listUnfit } from './store.ts';

/** The most ids of one kind in a request. */
const maxIds = 1_000;

/** The members of the request, and what their ids are of. */
const kinds = {
  userIds: 'USER',
  appIds: 'APP',
  accessReviewIds: 'REVIEW',
  conflictMonitorIds: 'MONITOR',
} as const satisfies Readonly<Record<string, Kind>>;

type Member = keyof typeof kinds;

/** Objects to mark: ids by the members of the request. */
export type MarkRequest = Readonly<Record<Member, readonly string[]>>;

const members = Object.keys(kinds) as Member[];

/** Marks objects. INVALID_ARGUMENT, naming each, for those that do not exist and for people with any other address than that of a sample. */
export function markSamples(context: Context, request: MarkRequest): Promise<void> {
  return inTransaction(context, async (inside) => {
    const tooMany = members.filter((member) => request[member].length > maxIds);
    if (tooMany.length > 0) {
      throw invalidFields(tooMany.map((field) => ({ field, description: `must hold at most ${maxIds} ids` })));
    }
    const violations: FieldViolation[] = [];
    let marked = 0;
    for (const member of members) {
      const unfit = new Set(await listUnfit(inside, kinds[member], request[member]));
      const why = member === 'userIds' ? 'is no person of the sample company' : 'does not exist';
      request[member].forEach((id, index) => {
        if (unfit.has(id)) {
          violations.push({ field: `${member}[${index}]`, description: `${JSON.stringify(id.slice(0, 64))} ${why}` });
        }
      });
      marked += await insertMarks(
        inside,
        kinds[member],
        request[member].filter((id) => !unfit.has(id)),
      );
    }
    refuseInvalid(violations);
    if (marked > 0) {
      await recordEvent(inside, { kind: 'samples.marked', targetId: inside.tenantId, data: { marked } });
    }
  });
}
