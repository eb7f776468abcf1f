import { describe, expect, it } from 'vitest';
import { EntraSettingsSchema } from '../../../../../src/gen/countersign/v1/entra_pb.js';
import { BatonSettingsSchema, FolderSettingsSchema, SqlSettingsSchema } from '../../../../../src/gen/countersign/v1/fetches_pb.js';
import { HttpsSettingsSchema, S3SettingsSchema } from '../../../../../src/gen/countersign/v1/files_pb.js';
import { LdapSettingsSchema } from '../../../../../src/gen/countersign/v1/ldap_pb.js';
import { kindsOfSources } from './index.ts';
import { ldap } from './ldap.ts';
import { sql } from './sql.ts';
import { enteredSecrets, isEntered, placeOfValues, settingsOfValues, valuesOfSettings } from './settings-values.ts';

const messages = [
  EntraSettingsSchema,
  LdapSettingsSchema,
  SqlSettingsSchema,
  BatonSettingsSchema,
  FolderSettingsSchema,
  HttpsSettingsSchema,
  S3SettingsSchema,
];

describe('values of a form', () => {
  it.each(kindsOfSources.map((kind) => [kind.id, kind] as const))('of %s are all that its message has', (_, kind) => {
    const message = messages.find(({ typeName }) => kind.type === `type.googleapis.com/${typeName}`);
    const asked = kind.fields.filter(({ isSecret }) => isSecret !== true).map(({ name }) => name);
    expect(asked.concat(kind.people === 'setting' ? 'isPeople' : []).sort()).toEqual(
      message?.fields.map(({ jsonName }) => jsonName).sort(),
    );
  });

  it.each(kindsOfSources.map((kind) => [kind.id, kind] as const))('of %s become the settings that they were', (_, kind) => {
    const said = Object.fromEntries(
      kind.fields
        .filter(({ isSecret }) => isSecret !== true)
        .map(({ name, control, options }) => {
          const values = { tick: true, lines: ['a', 'b'], number: 7, choice: options?.at(-1)?.value };
          return [name, control in values ? values[control as keyof typeof values] : `some ${name}`];
        }),
    );
    const config = { ...said, ...(kind.people === 'setting' && { isPeople: true }), '@type': kind.type };
    expect(settingsOfValues(kind, valuesOfSettings(kind, config))).toEqual(config);
  });

  it('are empty for a new source, its choices made', () => {
    expect(settingsOfValues(sql, valuesOfSettings(sql))).toMatchObject({ engine: 'SQL_ENGINE_POSTGRESQL', port: 0, isPeople: false });
    expect(settingsOfValues(ldap, valuesOfSettings(ldap))).not.toHaveProperty('bindPassword');
  });

  it('send what is no number as it is, so that the API says so at its field', () => {
    expect(settingsOfValues(sql, { ...valuesOfSettings(sql), port: 'many' })['port']).toBe('many');
  });
});

describe('where settings lead', () => {
  const place = (url: string, baseDn = 'dc=a') => placeOfValues(ldap, { ...valuesOfSettings(ldap), url, baseDn });
  it('is another for another scheme, host or port, and for nothing else', () => {
    expect(place('ldaps://a.example.com')).toBe(place(' LDAPS://A.example.com/ ', 'dc=b'));
    for (const other of ['ldap://a.example.com', 'ldaps://b.example.com', 'ldaps://a.example.com:1636']) {
      expect(place(other)).not.toBe(place('ldaps://a.example.com'));
    }
  });
});

describe('secrets', () => {
  it('are those that were entered, by their text or their file', () => {
    const values = valuesOfSettings(ldap);
    expect(enteredSecrets(ldap, values)).toEqual([]);
    const entered = (bindPassword: object) => enteredSecrets(ldap, { ...values, bindPassword: bindPassword as never });
    expect(entered({ value: ' p ', fromFile: 'left', isFile: false })).toEqual([{ name: 'bindPassword', value: ' p ', fromFile: '' }]);
    expect(entered({ value: 'left', fromFile: ' f.txt ', isFile: true })).toEqual([{ name: 'bindPassword', value: '', fromFile: 'f.txt' }]);
    expect(isEntered({ value: 'left', fromFile: ' ', isFile: true })).toBe(false);
  });
});
