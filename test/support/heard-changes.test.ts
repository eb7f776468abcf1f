/** Checks of heard-changes.ts can fail, and pass where a change is heard. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reactions } from '../../src/reactions.ts';
import { openTwoTenants, type TwoTenants } from './tenants.ts';
import { bodyOf, grantsHeader, peopleHeader } from './inventory.ts';
import { requireReactions } from './heard-changes.ts';
import type { Context } from '../../src/context.ts';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';

let test: TwoTenants;
beforeAll(async () => {
  test = await openTwoTenants();
  await requireReactions(test);
});
afterAll(() => test.close());

const grants = (context: Context) =>
  importGrants(
    context,
    { app: 'Wiki', allowRemovals: true },
    { body: bodyOf(`${grantsHeader}\nann,ann@x.example,,,Role,Editor,member,,\n`), encoding: '' },
  );
const people = (context: Context, status: string) =>
  importPeople(
    context,
    { source: '', allowRemovals: true },
    { body: bodyOf(`${peopleHeader}\nann@x.example,Ann,,,,${status}\n`), encoding: '' },
  );

it('refuses a revision and a person who is disabled unheard, and lets pass what is heard', async () => {
  const deaf = test.ours.admin;
  const hearing = { ...deaf, react: reactions };
  await expect(grants(deaf)).rejects.toMatchObject({ code: 'INTERNAL' });
  await grants(hearing);
  await people(hearing, 'ACTIVE');
  await expect(people(deaf, 'TERMINATED')).rejects.toMatchObject({ code: 'INTERNAL' });
  await people(hearing, 'TERMINATED');
  const status = await test.admin(`SELECT status FROM users WHERE email_key = 'ann@x.example'`);
  expect(status).toEqual([{ status: 'DISABLED' }]);
});
