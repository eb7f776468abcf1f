/** Values of a form that a kind's descriptor makes, from the settings of a source and back. Pure. */
import type { Field, KindOfSource } from './kind.ts';

/** A secret that is being entered: its text, or the name of a file on the server; both empty where it stays as it is. */
export interface EnteredSecret {
  readonly value: string;
  readonly fromFile: string;
  readonly isFile: boolean;
}

export type SettingValue = string | boolean | EnteredSecret;
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** Settings of a source, as the API has them. */
export type Config = Readonly<Record<string, unknown>>;

const noSecret: EnteredSecret = { value: '', fromFile: '', isFile: false };

/** Returns true for a secret that was entered. */
export function isEntered({ value, fromFile, isFile }: EnteredSecret): boolean {
  return (isFile ? fromFile.trim() : value) !== '';
}

function readValue({ control, isSecret, options, name }: Field, config: Config): SettingValue {
  const value = config[name];
  if (isSecret === true) {
    return noSecret;
  }
  switch (control) {
    case 'tick':
      return value === true;
    case 'lines':
      return Array.isArray(value) ? value.join('\n') : '';
    case 'choice':
      return typeof value === 'string' && value !== '' ? value : (options?.[0]?.value ?? '');
    case 'number':
      return typeof value === 'number' && value !== 0 ? String(value) : '';
    default:
      return typeof value === 'string' ? value : '';
  }
}

/** Returns the values of a form: those of settings that are there, else empty ones. */
export function valuesOfSettings({ fields, people }: KindOfSource, config: Config = {}): SettingValues {
  return {
    ...Object.fromEntries(fields.map((field) => [field.name, readValue(field, config)])),
    ...(people === 'setting' && { isPeople: config['isPeople'] === true }),
  };
}

function sentValue({ control }: Field, value: SettingValue | undefined): unknown {
  if (typeof value !== 'string') {
    return value;
  }
  const plain = value.trim();
  switch (control) {
    case 'lines':
      return plain === '' ? [] : plain.split(/\s*\n\s*/);
    case 'number':
      // What is no number goes as it is, and the API says so at its field.
      return plain === '' ? 0 : /^\d+$/.test(plain) ? Number(plain) : plain;
    default:
      return plain;
  }
}

/** Returns the settings that the values of a form mean, with their type. Secrets are left out. */
export function settingsOfValues({ type, fields, people }: KindOfSource, values: SettingValues): Config & { '@type': string } {
  return {
    '@type': type,
    ...Object.fromEntries(
      fields.filter(({ isSecret }) => isSecret !== true).map((field) => [field.name, sentValue(field, values[field.name])]),
    ),
    ...(people === 'setting' && { isPeople: values['isPeople'] === true }),
  };
}

/** Returns the secrets that were entered, by name. */
export function enteredSecrets({ fields }: KindOfSource, values: SettingValues): { name: string; value: string; fromFile: string }[] {
  return fields
    .filter(({ isSecret }) => isSecret === true)
    .map(({ name }) => ({ name, ...(values[name] as EnteredSecret) }))
    .filter(isEntered)
    .map(({ name, value, fromFile, isFile }) => ({ name, value: isFile ? '' : value, fromFile: isFile ? fromFile.trim() : '' }));
}

/** Returns where the values of a form lead, as a text to compare: of an address its scheme, host and port. */
export function placeOfValues({ fields }: KindOfSource, values: SettingValues): string {
  const places = fields
    .filter(({ isPlace }) => isPlace === true)
    .map(({ name }) => {
      const text = String(values[name]).trim().toLowerCase();
      return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/.exec(text)?.[0] ?? text;
    });
  return JSON.stringify(places);
}
