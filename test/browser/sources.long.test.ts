/**
 * Connecting systems in a browser, from the console alone: a directory over LDAP, a table of people over SQL, and a connector, each by somebody who
 * knows its name and no more. What is wrong is said at its field before anything is kept.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ConnectorService } from '../../src/gen/c1/api/app/v1/connector_service_pb.js';
import { SourceService } from '../../src/gen/countersign/v1/connectors_pb.js';
import { checkAxe, hasBrowser, openBrowser, sidewaysPixels, sizes, type TestBrowser } from '../support/browser.ts';
import { grpc, startConnector } from '../support/connector.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { closeBy } from '../support/dialogs.ts';
import { freePort } from '../support/free-port.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { adminDn, adminPassword, baseDn, hasSlapd, personDn, type Slapd, startSlapd, writeDirectory } from '../support/slapd.ts';
import { openProxy } from '../support/socket-proxy.ts';
import { until } from '../support/until.ts';

const password = 'a very good password';
const role = `browser_reader_${process.pid}`;

describe.skipIf(!hasBrowser)('connecting', () => {
  let server: TestServer;
  let browser: TestBrowser;
  let source: TestDatabase;
  let superuser: pg.Client;
  let proxy: { port: number; server: Server };
  let slapd: Slapd | undefined;
  let connectorPort: number;

  beforeAll(async () => {
    source = await openTestDatabase({ empty: true });
    superuser = new pg.Client({ connectionString: inject('testServer').adminUrl });
    await superuser.connect();
    const { host, port } = superuser;
    proxy = await openProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    await superuser.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
    await source.admin(`CREATE TABLE public.staff (mail text, name text);
      INSERT INTO public.staff SELECT 'p' || n || '@example.com', 'Person ' || n FROM generate_series(1, 12) n; GRANT SELECT ON public.staff TO ${role}`);
    slapd = hasSlapd ? await startSlapd(writeDirectory(20, [[personDn(1), personDn(2)]])) : undefined;
    connectorPort = await freePort();
    server = await startTestServer({
      allowsLocalIssuers: true,
      config: {
        allowOutbound: ['127.0.0.1', `127.0.0.1:${proxy.port}`],
        connectorPort,
        installationKey: { file: undefined, text: '02'.repeat(32), command: undefined },
      },
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await slapd?.close();
    proxy?.server.close();
    await source?.close();
    await superuser?.query(`DROP ROLE ${role}`);
    await superuser?.end();
  });

  /** Looks for a system by its name, and opens the form that connects it. */
  const lookFor = async (name: string): Promise<Page> => {
    const page = await browser.signedInPage(server, server.admin.id);
    await page.goto('/sources');
    await page.getByRole('link', { name: 'New source' }).click();
    await page.getByLabel('What do you want to connect?').fill(name.toLowerCase());
    expect(await checkAxe(page)).toEqual([]);
    await page.getByRole('list', { name: 'Systems' }).getByRole('link', { name }).first().click();
    await page.getByRole('heading', { name: `Connect ${name}` }).waitFor();
    return page;
  };
  const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, value] of Object.entries(values)) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
  };
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  /** Fetches, and waits on the page until that is imported. */
  const fetchOnPage = async (page: Page): Promise<void> => {
    await press(page, 'Fetch now');
    await page.getByRole('button', { name: 'Imported' }).first().waitFor({ timeout: 60_000 });
  };
  const isNarrow = async (page: Page): Promise<void> => {
    await page.setViewportSize(sizes.narrow);
    expect(await sidewaysPixels(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize(sizes.desk);
  };

  it.runIf(hasSlapd)('a directory: its password is wrong at first, and later its address changes', async () => {
    const page = await lookFor('OpenLDAP');
    await press(page, 'Make the source');
    await expect.poll(() => page.getByText('Fill this in').count()).toBe(2);
    await fill(page, { Address: slapd?.url ?? '', 'Base DN': baseDn, 'Bind DN': adminDn, Password: 'wrong' });
    await press(page, 'Test');
    await page.getByText('the server refused the bind DN or its password').first().waitFor();
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByText('Address reached').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await fill(page, { Password: adminPassword });
    await press(page, 'Test');
    await page.getByText('It works.').waitFor();
    await page.getByRole('table', { name: 'People' }).getByText('Person 1', { exact: false }).first().waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await isNarrow(page);
    await press(page, 'Make the source');
    await page.getByRole('heading', { level: 1, name: 'OpenLDAP' }).waitFor();
    await fetchOnPage(page);
    const { list = [] } = await server.admin.client.call(SourceService.method.list, {});
    const made = list.find(({ displayName }) => displayName === 'OpenLDAP');
    expect(made).toMatchObject({ kind: 'SOURCE_KIND_LDAP', secretsSet: ['bindPassword'], fetchState: 'FETCH_STATE_DONE' });
    expect(await page.content()).not.toContain(adminPassword);

    await press(page, 'Change');
    await page.getByLabel('Address', { exact: true }).fill(slapd?.tlsUrl ?? '');
    await page.getByText('the secrets that are set are removed').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await press(page, 'Save');
    await page.getByText('Not set').waitFor();
    await press(page, 'Set: Password');
    await fill(page, { Password: adminPassword });
    await press(page, 'Save');
    await page.getByRole('button', { name: 'Remove: Password' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Not set').waitFor();
    await isNarrow(page);
    await page.close();
  });

  it('a table of people: rows are shown before they are taken', async () => {
    const page = await lookFor('PostgreSQL');
    const database = decodeURIComponent(/\/([^/?]+)(?:\?|$)/.exec(source.url)?.[1] ?? '');
    await page.getByLabel('App', { exact: true }).fill('Personnel');
    await page.getByRole('listbox').getByRole('option', { name: 'Personnel' }).click();
    await fill(page, { Host: '127.0.0.1', Port: String(proxy.port), Database: database, User: role, Password: password });
    await page.getByRole('checkbox', { name: 'The rows are people' }).click();
    await page.getByLabel('Statement', { exact: true }).fill('SELECT mail AS email FROM nothing');
    await press(page, 'Test');
    await page.getByText('"nothing" does not exist').first().waitFor();
    expect(await page.getByLabel('Statement', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Statement', { exact: true }).fill('SELECT mail AS email, name AS display_name FROM staff ORDER BY name');
    await press(page, 'Test');
    await page.getByRole('table', { name: 'People' }).getByText('p1@example.com').waitFor();
    await press(page, 'Make the source');
    await page.getByRole('heading', { level: 1, name: 'Personnel' }).waitFor();
    await fetchOnPage(page);
    await page.goto('/people?q=Person%2012');
    await page.getByText('Person 12').first().waitFor();
    await page.close();
  });

  it('a connector: its credential is shown once in what starts it, and the page waits for its call and its file', async () => {
    const page = await lookFor('GitHub');
    expect(await page.getByLabel('Program').inputValue()).toBe('baton-github');
    await press(page, 'Make the source');
    await page.getByText('Waiting for the connector').waitFor();
    await press(page, 'Create a credential');
    const dialog = page.getByRole('dialog', { name: 'Start the connector' });
    for (const form of ['Command', 'Compose', 'systemd']) {
      await dialog.getByText(form, { exact: true }).click();
      await dialog.getByText('secret-token:').waitFor();
    }
    expect(await checkAxe(page)).toEqual([]);
    const shown = (await dialog.locator('code').textContent()) ?? '';
    const variable = (name: string): string => new RegExp(`Environment=${name}=(.*)`).exec(shown)?.[1] ?? '';
    await closeBy(dialog, 'I have copied it');
    expect(await page.content()).not.toContain('secret-token:');
    const credential = { clientId: variable('BATON_CLIENT_ID'), clientSecret: variable('BATON_CLIENT_SECRET') };
    const connector = await startConnector({
      ...credential,
      url: server.url,
      grpcUrl: `http://127.0.0.1:${connectorPort}`,
      hostId: 'closet',
    });
    expect((await connector.hello('1.2.3')).code).toBe(grpc.ok);
    // Nobody loads the page again.
    await page.getByText('closet.example').waitFor();
    await page.getByText('1.2.3').waitFor();
    await press(page, 'Fetch now');
    await page.getByText('The fetch begins').first().waitFor();
    const task = await until(async () => {
      const given = await connector.getTask();
      expect(given.kind).toBe('sync');
      return given;
    });
    const file = readFileSync(new URL('../vectors/baton/demo-sdk-0.2.50.c1z', import.meta.url));
    expect((await connector.upload(task.id, file)).code).toBe(grpc.ok);
    expect((await connector.finish(task.id)).code).toBe(grpc.ok);
    await page.getByRole('button', { name: 'Imported' }).first().waitFor({ timeout: 60_000 });
    connector.close();
    await page.getByText('Log', { exact: true }).click();
    await page.getByText('The connector sent no log.').waitFor();
    expect(await checkAxe(page)).toEqual([]);
    await press(page, 'Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No credential yet').waitFor();
    const { list = [] } = await server.admin.client.call(SourceService.method.list, {});
    const { id = '', appId = '' } = list.find(({ kind }) => kind === 'SOURCE_KIND_BATON') ?? {};
    const { connectorView } = await server.admin.client.call(ConnectorService.method.get, { appId, id });
    expect(connectorView?.connector).toMatchObject({ displayName: 'GitHub', config: { program: 'baton-github' } });
    expect(await checkAxe(page)).toEqual([]);
    await page.close();
  });
});
