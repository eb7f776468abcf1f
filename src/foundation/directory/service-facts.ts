/** The contract's methods about what was known of people over time, and what they were called: each calls one rule and shapes the reply. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';
import { type PersonFactJson, PersonFactService } from '../../gen/countersign/v1/person_facts_pb.js';
import { PersonWordsService } from '../../gen/countersign/v1/person_words_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { getUser } from './read-users.ts';
import { type FactChangesRow, type FactName, findFactsSince, listFactChanges } from './store-facts.ts';
import { listAddressHolders, listFormerAddresses, listFormerWords, listNamesAt, listPersonWords, wordsAt } from './words/index.ts';

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

const refKey = (id: string, at: Date): string => `${id} ${at.getTime()}`;

/** Names of the managers in these changes, as they were called when each was made. */
async function nameManagers(context: Context, rows: readonly FactChangesRow[]): Promise<ReadonlyMap<string, string>> {
  const refs = rows.flatMap(({ changedAt, facts }) => (facts.managerId ?? []).map((id) => ({ id, at: changedAt })));
  const found = await listNamesAt(context, refs);
  return new Map(refs.map(({ id, at }, index) => [refKey(id, at), found[index] ?? '']));
}

function shapeChanges({ changedAt, source, facts }: FactChangesRow, managers: ReadonlyMap<string, string>) {
  const nameOf = (id: string): string => managers.get(refKey(id, changedAt)) ?? '';
  const changes = (Object.keys(names) as FactName[]).flatMap((name) => {
    const [before, after] = facts[name] ?? [];
    const shown = name === 'managerId' ? nameOf : () => undefined;
    return before === undefined || after === undefined
      ? []
      : [{ fact: names[name], before, after, beforeDisplayName: shown(before), afterDisplayName: shown(after) }];
  });
  return { changedAt, connectorId: source, changes };
}

/** Changes to one person's facts. */
export const personFactService: BoundService = implement(PersonFactService, {
  async list(context, { userId }, call) {
    const { id } = await getUser(context, userId);
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listFactChanges(context, id, after?.[0] === undefined ? undefined : new Date(after[0]), limit),
      (row) => [row.changedAt.toISOString()],
    );
    const managers = await nameManagers(context, rows);
    return { list: rows.map((row) => shapeChanges(row, managers)), nextPageToken, keptSince: await findFactsSince(context, id) };
  },
});

/** Most moments that one request asks about. */
const maxRefs = 1_000;

/** What people were called. */
export const personWordsService: BoundService = implement(PersonWordsService, {
  async list(context, { refs }) {
    if (refs.length > maxRefs) {
      throw invalidField('refs', `must not have more than ${maxRefs} entries`);
    }
    const people = await listPersonWords(
      context,
      refs.map(({ userId }) => userId),
    );
    return {
      list: refs.flatMap(({ userId, at }) => {
        const person = people.get(userId);
        const moment = at === undefined ? null : timestampDate(at);
        const { displayName, email, employeeId } = wordsAt(person, null);
        return person === undefined
          ? []
          : [
              {
                userId,
                at: moment,
                ...wordsAt(person, moment),
                currentDisplayName: displayName,
                currentEmail: email,
                currentEmployeeId: employeeId,
              },
            ];
      }),
    };
  },
  async listFormerAddresses(context, { userId }) {
    const { id } = await getUser(context, userId);
    return { list: await listFormerAddresses(context, [id]) };
  },
  async listFormer(context, { userId }) {
    const { id, mergedIntoId } = await getUser(context, userId);
    const intoId = mergedIntoId ?? '';
    const [intoName = ''] = intoId === '' ? [] : await listNamesAt(context, [{ id: intoId, at: context.now }]);
    return {
      list: await listFormerWords(context, id),
      holders: await listAddressHolders(context, id),
      mergedIntoId: intoId,
      mergedIntoDisplayName: intoName,
    };
  },
});
