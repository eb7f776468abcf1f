import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { findSystem, findSystems } from './find-systems.ts';
import { kindsOfSources } from './index.ts';

describe('looking for a system', () => {
  beforeAll(async () => {
    vi.stubGlobal('document', { documentElement: { lang: '' } });
    await loadLanguage(['en']);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });
  const ways = (written: string) => findSystems(written, 8).map(({ kind, name }) => `${name}: ${kind.id}`);

  it.each([
    ['GitHub', 'GitHub: BATON'],
    ['github ent', 'GitHub Enterprise Server: BATON'],
    ['okta', 'Okta: BATON'],
    ['active d', 'Active Directory: LDAP'],
    ['ad', 'Active Directory: LDAP'],
    ['Windows', 'Active Directory: LDAP'],
    ['azure', 'Entra ID: ENTRA'],
    ['postgres', 'PostgreSQL: SQL'],
    ['a file', 'A file: FOLDER'],
    ['csv', 'A file: FOLDER'],
    ['google sheets', 'Google Sheets: HTTPS'],
    ['bucket', 'Amazon S3: S3'],
    ['baton-jira', 'Jira: BATON'],
  ])('%s leads to %s', (written, way) => {
    expect(ways(written)).toContain(way);
  });

  it('puts the name that was written first, and finds nothing for nothing', () => {
    expect(ways('slack')[0]).toBe('Slack: BATON');
    expect(ways('entra')[0]).toBe('Entra ID: ENTRA');
    expect(ways('ad')[0]).toBe('Active Directory: LDAP');
    expect(ways('  ')).toEqual([]);
    expect(ways('nothing has this name')).toEqual([]);
  });

  it('leads back from an address to the system, whose program is known', () => {
    const baton = kindsOfSources.find(({ id }) => id === 'BATON');
    expect(baton && findSystem(baton, 'GitHub')?.system.settings).toEqual({ program: 'baton-github' });
    expect(baton && findSystem(baton, 'No such system')).toBeUndefined();
  });

  it('has each connector once', () => {
    const programs = kindsOfSources.flatMap(({ systems }) => systems.flatMap(({ settings }) => settings?.['program'] ?? []));
    expect(new Set(programs).size).toBe(programs.length);
    expect(programs.length).toBeGreaterThan(150);
    expect(programs.filter((program) => !/^baton-[a-z0-9][a-z0-9-]{0,99}$/.test(program))).toEqual([]);
  });
});
