/** The contract's method about what was known of a person over time: it calls one rule and shapes the reply. */
import {
  PersonFactChangeSchema,
  PersonFactChangesSchema,
  type PersonFactJson,
  PersonFactService,
  PersonFactServiceListResponseSchema,
} from '../../gen/countersign/v1/person_facts_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { getUser } from './read-users.ts';
import { listUsersByIds, type UserRow } from './store.ts';
import { type FactChangesRow, type FactName, findFactsSince, listFactChanges } from './store-facts.ts';

/** In the order in which they are shown. */
const names: Readonly<Record<FactName, PersonFactJson>> = {
  jobTitle: 'PERSON_FACT_JOB_TITLE',
  department: 'PERSON_FACT_DEPARTMENT',
  managerId: 'PERSON_FACT_MANAGER',
  status: 'PERSON_FACT_STATUS',
  employmentStatus: 'PERSON_FACT_EMPLOYMENT_STATUS',
  employmentType: 'PERSON_FACT_EMPLOYMENT_TYPE',
  displayName: 'PERSON_FACT_DISPLAY_NAME',
  email: 'PERSON_FACT_EMAIL',
};

function shapeChanges({ changedAt, source, facts }: FactChangesRow, managers: ReadonlyMap<string, UserRow>) {
  const nameOf = (id: string): string => managers.get(id)?.displayName || managers.get(id)?.email || '';
  const changes = (Object.keys(names) as FactName[]).flatMap((name) => {
    const [before, after] = facts[name] ?? [];
    const people = name === 'managerId' ? { beforeDisplayName: nameOf(before ?? ''), afterDisplayName: nameOf(after ?? '') } : {};
    return before === undefined || after === undefined
      ? []
      : [shape(PersonFactChangeSchema, { fact: names[name], before, after, ...people })];
  });
  return shape(PersonFactChangesSchema, { changedAt: timestamp(changedAt), connectorId: source, changes });
}

/** What changed about one person. */
export const personFactService: BoundService = implement(PersonFactService, {
  async list(context, { userId }, call) {
    const { id } = await getUser(context, userId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listFactChanges(context, id, after?.[0] === undefined ? undefined : new Date(after[0]), limit),
      (row) => [row.changedAt.toISOString()],
    );
    const managers = await listUsersByIds(
      context,
      rows.flatMap(({ facts }) => (facts.managerId ?? []).filter((manager) => manager !== '')),
    );
    return shape(PersonFactServiceListResponseSchema, {
      list: rows.map((row) => shapeChanges(row, managers)),
      nextPageToken,
      keptSince: timestamp(await findFactsSince(context, id)),
    });
  },
});
