/** The digest of people: another one exactly where an account could match otherwise. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, moveAddress, putRecord } from '../../../../test/support/identity.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { findPeopleDigest } from './store.ts';

let test: TwoTenants;
beforeAll(async () => {
  test = await useTwoTenants();
});
afterAll(() => test.close());

it('follows addresses of now and before, and what live records say, and nothing else', async () => {
  const { system } = test.ours;
  let last = await findPeopleDigest(system);
  const isOther = async (): Promise<boolean> => {
    const was = last;
    last = await findPeopleDigest(system);
    return was !== last;
  };
  const set = (id: string, assignment: string): Promise<number> =>
    system.db.run(`UPDATE users SET ${assignment} WHERE tenant_id = $1 AND id = $2`, [system.tenantId, id]);
  const ann = await addPerson(system, { email: 'ann@x.example', employeeId: '1', username: 'ann' });
  expect(await isOther()).toBe(true);
  await set(ann, `display_name = 'Ann', department = 'Law'`);
  expect(await isOther()).toBe(false);
  await moveAddress(system, ann, 'b@x.example');
  expect(await isOther()).toBe(true);
  // By now the address of before is known, and that alone is another match than without it.
  await system.db.run(`DELETE FROM former_words WHERE tenant_id = $1 AND email_key = 'ann@x.example'`, [system.tenantId]);
  expect(await isOther()).toBe(true);
  const record = await putRecord(system, ann, { username: 'adm-ann' });
  expect(await isOther()).toBe(true);
  await putRecord(system, ann, { username: 'adm-ann', isHeard: false }, record);
  expect(await isOther()).toBe(true);
  await putRecord(system, ann, { username: 'other', isHeard: false }, record);
  expect(await isOther()).toBe(false);
  await putRecord(system, ann, { username: 'adm-ann' }, record);
  expect(await isOther()).toBe(true);
  await putRecord(system, ann, { username: 'adm-ann', state: 'GONE' }, record);
  expect(await isOther()).toBe(true);
  await addPerson(test.theirs.system, { email: 'c@x.example' });
  expect(await isOther()).toBe(false);
});
