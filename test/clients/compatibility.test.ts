/**
 * docs/compatibility.md lists every operation of the public API, served or not and why not, and what is ours alone: as the contract has
 * it, and as a running server says.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listElsewhere, listPublicOperations, page, renderPage } from '../../scripts/list-operations.js';
import { request } from '../support/api.ts';
import { useTestServer } from '../support/server.ts';

/** Tables are compared by what stands in them, not by how their columns are padded. */
const withoutPadding = (text: string): string => text.replace(/ *\| */g, '|').replace(/-{2,}/g, '-');

it('docs/compatibility.md is current; if not: npm run generate', async () => {
  const text = readFileSync(page, 'utf8');
  expect(withoutPadding(text)).toBe(withoutPadding(await renderPage(text)));
});

it('the page has each of the 317 operations of the public API once, served or with a reason', async () => {
  const operations = await listPublicOperations();
  expect(operations.length).toBe(317);
  const text = readFileSync(page, 'utf8');
  for (const { verb, path, permission, reason } of operations) {
    const row = text.split('\n').filter((line) => line.startsWith(`| \`${verb} ${path}\` `));
    expect([verb, path, row.length]).toEqual([verb, path, 1]);
    expect(row[0]).toContain(reason ?? `\`${permission}\``);
  }
});

it('a running server names each operation of the public document that has nothing to do with access reviews', async () => {
  const server = await useTestServer();
  try {
    const elsewhere = await listElsewhere();
    expect(elsewhere.length).toBeGreaterThan(300);
    const wrong: unknown[] = [];
    for (const { verb, path, name } of elsewhere) {
      const sent = path.replace(/\{[a-z0-9_]+\}/g, '0'.repeat(27));
      const { status, body } = await request(server, server.admin, verb, sent, verb === 'GET' ? undefined : {});
      if (status !== 501 || body.code !== 12 || !String(body.message).startsWith(`${name} is not served: `)) {
        wrong.push([verb, path, status, body.message]);
      }
    }
    expect(wrong).toEqual([]);
    // Neither a slash at the end, nor an odd parameter, nor another method makes it look deleted.
    const odd = ['a%2Fb', '%E2%82%AC', '..%2f..', 'x'.repeat(900), 'a:b', '-', '%00'];
    for (const [index, { verb, path }] of elsewhere.entries()) {
      const sent = path.replace(/\{[a-z0-9_]+\}/g, odd[index % odd.length] ?? '');
      for (const [method, way, statuses] of [
        [verb, `${sent}/`, [501]],
        [verb === 'GET' ? 'HEAD' : verb, sent, [501]],
        // 405 where a served operation has the path.
        [verb === 'PUT' ? 'PATCH' : 'PUT', sent, [501, 405]],
      ] as const) {
        const { status } = await server.fetch(way, { method });
        if (!(statuses as readonly number[]).includes(status)) {
          wrong.push([method, way.slice(0, 100), status]);
        }
      }
    }
    expect(wrong).toEqual([]);
  } finally {
    await server.stop();
  }
});

it('a running server has a route for each operation said to be served, and none for the others', async () => {
  const server = await useTestServer();
  try {
    const { paths } = (await (await server.fetch('/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> };
    for (const { verb, path, name, reason } of await listPublicOperations()) {
      const described = paths[path]?.[verb.toLowerCase()] !== undefined;
      expect([verb, path, described]).toEqual([verb, path, reason === undefined]);
      const sent = path.replace(/\{[a-z0-9_]+\}/g, '0'.repeat(27));
      if (reason === undefined) {
        const answer = await server.fetch(sent, { method: verb });
        await answer.arrayBuffer();
        expect([verb, path, answer.status]).toEqual([verb, path, 401]);
      } else {
        const { status, body } = await request(server, server.admin, verb, sent, verb === 'GET' ? undefined : {});
        expect([verb, path, status]).toEqual([verb, path, 501]);
        expect(body).toMatchObject({ code: 12, message: `${name} is not served: ${reason}.` });
      }
    }
  } finally {
    await server.stop();
  }
});
