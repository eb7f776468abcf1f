/**
 * Marks in what a stranger must not read of people, accounts, apps, resources, entitlements and policies, and the search for them in replies: whatever a reply is
 * made of, a mark in it, or a whole record of another person, is a leak.
 */
import type { Loose } from './api.ts';
import type { ServedTenant } from './server.ts';

/** Marks what is there now: each mark names the kind and the id of what it is in. Members that a card has stay as they are. */
export async function markSecrets(tenant: ServedTenant): Promise<void> {
  const { db, tenantId } = tenant.system();
  await db.run(
    `UPDATE users SET username = 'secret:person:' || id, employee_id = 'secret:person:' || id, employment_type = 'secret:person:' || id,
       profile = profile || jsonb_build_object('phone', 'secret:person:' || id, 'salary_band', 'secret:person:' || id)
     WHERE tenant_id = $1`,
    [tenantId],
  );
  await db.run(
    `UPDATE accounts SET employee_id = 'secret:account:' || id, profile = profile || jsonb_build_object('pin', 'secret:account:' || id)
     WHERE tenant_id = $1`,
    [tenantId],
  );
  await db.run(`UPDATE apps SET document = document || jsonb_build_object('instructions', 'secret:app:' || id) WHERE tenant_id = $1`, [
    tenantId,
  ]);
  await db.run(
    `UPDATE entitlements SET document = document || jsonb_build_object('annotations', jsonb_build_object('note', 'secret:entitlement:' || id))
     WHERE tenant_id = $1`,
    [tenantId],
  );
  await db.run(
    `UPDATE resources SET document = document || jsonb_build_object('matchBatonId', 'secret:resource:' || id,
       'annotations', jsonb_build_object('note', 'secret:resource:' || id))
     WHERE tenant_id = $1`,
    [tenantId],
  );
  await db.run(
    `UPDATE policies SET document = document || jsonb_build_object('annotations',
       coalesce(document -> 'annotations', '{}') || jsonb_build_object('note', 'secret:policy:' || id))
     WHERE tenant_id = $1`,
    [tenantId],
  );
}

/** The marks in a reply that its reader may not see: all but those in what `mayRead` names, as `kind:id`. */
export function findMarks(reply: unknown, mayRead: ReadonlySet<string>): string[] {
  const marks = [...JSON.stringify(reply).matchAll(/secret:([a-z]+:[0-9A-Za-z-]+)/g)].map(([, of = '']) => of);
  return [...new Set(marks.filter((mark) => !mayRead.has(mark)))];
}

const beyondCard = [
  'roleIds',
  'managerIds',
  'employeeIds',
  'usernames',
  'directoryIds',
  'emailSources',
  'managerSources',
  'departmentSources',
];

/** The ids of other people of whom a reply holds more than their card, wherever in it: in `expanded`, in views, in whatever comes. */
export function findWholePeople(reply: unknown, ownId: string): string[] {
  if (Array.isArray(reply)) {
    return reply.flatMap((one) => findWholePeople(one, ownId));
  }
  if (typeof reply !== 'object' || reply === null) {
    return [];
  }
  const object = reply as Loose;
  const within = Object.values(object).flatMap((one) => findWholePeople(one, ownId));
  const isPerson = 'employeeIds' in object && 'roleIds' in object;
  if (!isPerson || object.id === ownId) {
    return within;
  }
  const isCard =
    beyondCard.every((member) => object[member].length === 0) &&
    object.delegatedUserId === '' &&
    Object.keys(object.profile ?? {}).length === 0;
  return isCard ? within : [...within, object.id];
}
