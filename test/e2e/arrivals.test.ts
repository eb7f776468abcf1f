/** What comes after the snapshot of a review as its owner meets it on the command line. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import type { TestServer } from '../support/server.ts';
import { sendFile, type World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  const made = await startWorld();
  server = made.server;
  world = made.world;
}, 240_000);
afterAll(() => server.stop());

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
const before = ['one,p01@world.example,USER,ENABLED,role,Ledger,pay', 'two,p02@world.example,USER,ENABLED,role,Ledger,pay'];
const later = [...before, 'two,p02@world.example,USER,ENABLED,role,Ledger,close', 'three,,USER,ENABLED,role,Ledger,pay'];

const put = (lines: readonly string[]) =>
  sendFile(world.tenant, server.admin, '/api/v1/imports/grants?app=Arrivals', [header, ...lines].join('\n'));

/** Runs a command of reviews that goes well; its outputs. */
async function review(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await runInProcess(['review', ...args], { env: environmentFor(server.url, server.admin.credential) });
  expect([code, code === 0 ? '' : stderr], args.join(' ')).toEqual([0, '']);
  return { stdout, stderr };
}

it('is said by progress, show and close, listed, and asked about by one command', async () => {
  await put(before);
  const id = JSON.parse((await review('create', '--name', 'Ledger', '--app', 'Arrivals', '--json')).stdout).id as string;
  expect((await review('show', id)).stdout).not.toContain('snapshot');
  expect((await review('progress', id)).stdout).not.toContain('snapshot');
  await review('prepare', id);
  await review('start', id);
  expect((await review('progress', id)).stdout).toContain('none came after the snapshot');
  await put(later);
  const said = '2 came after the snapshot, and this review asks nobody about them; no review asks about 2';
  const next = `to ask about them: countersign review supplement ${id}`;
  expect((await review('progress', id)).stdout).toContain(`${said}\n${next}\n`);
  expect(JSON.parse((await review('progress', id, '--json')).stdout).arrivals).toMatchObject({ arrived: '2', unasked: '2' });
  expect((await review('show', id)).stdout).toContain(`later      ${said}`);
  expect((await review('close', id, '--yes')).stderr).toContain(said);
  const listed = (await review('arrivals', id)).stdout;
  expect(listed).toContain(said);
  expect(listed).toMatch(/two +\S.* Arrivals: .*close +no review/);
  expect(listed).toMatch(/three +nobody +Arrivals: .*pay +no review/);
  const csv = (await review('arrivals', id, '--csv')).stdout.trimEnd().split('\r\n');
  expect(csv).toHaveLength(3);
  expect(csv[0]).toMatch(/^appId,appDisplayName,/);
  const made = (await review('supplement', id)).stdout;
  expect(made).toContain('Ledger, after the snapshot, 2 items');
  const supplement = made.split(' ')[0] ?? '';
  await world.until(supplement, 'OPEN');
  expect((await review('arrivals', id)).stdout).toContain(`supplementary reviews ask about all\nsupplementary review ${supplement}`);
  expect((await review('show', supplement)).stdout).toContain(`supplements the review ${id}  Ledger`);
  const again = await runInProcess(['review', 'supplement', id], { env: environmentFor(server.url, server.admin.credential) });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('that no review asks about') });
});
