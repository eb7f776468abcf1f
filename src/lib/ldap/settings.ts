/** The settings of a directory, and what is wrong with them before anybody is asked. The password of the bind DN is no setting. */
import { isIP } from 'node:net';
import { findCertificateFault } from '../tables/certificates.ts';
import { loadLdapts } from './load-ldapts.ts';

/** Settings of a source of kind LDAP; '' where one is left to us. */
export interface LdapSettings {
  /** `ldaps://host[:port]`, or `ldap://host[:port]`, which is encrypted by StartTLS before anybody signs in. */
  readonly url: string;
  readonly baseDn: string;
  /** '' reads without signing in. */
  readonly bindDn: string;
  /** Certificates in PEM form that are trusted in place of the usual ones. At this machine, an `ldap://` address with them is encrypted, too. */
  readonly ca: string;
  readonly userFilter: string;
  readonly groupFilter: string;
  /** Accounts that it finds are of services, whatever else finds them. */
  readonly serviceFilter: string;
  /** Attributes that become attributes of accounts and people. */
  readonly attributes: readonly string[];
  /** Conditions that disable an account beside the usual: `attribute=value`, or `attribute=*` for any value. */
  readonly disabledWhen: readonly string[];
}

/** Something wrong with a setting. */
export interface SettingFault {
  readonly field: keyof LdapSettings;
  /** A part of a sentence, such as `must begin with ldaps:// or ldap://`. */
  readonly reason: string;
}

const maxLengths = {
  url: 2_000,
  baseDn: 2_000,
  bindDn: 2_000,
  userFilter: 4_000,
  groupFilter: 4_000,
  serviceFilter: 4_000,
} as const;
const maxAttributes = 50;
const attributeName = /^[a-zA-Z][a-zA-Z0-9-]{0,99}$/;
/** Attributes that hold secrets: they are not asked for, whoever may read them. */
const secretAttributes: ReadonlySet<string> = new Set(
  'userpassword unicodepwd dbcspwd lmpwdhistory ntpwdhistory supplementalcredentials ms-mcs-admpwd mslaps-password mslaps-encryptedpassword krbprincipalkey ipanthash sambantpassword sambalmpassword sshprivatekey pwdhistory'.split(
    ' ',
  ),
);

/** Returns where the address leads; undefined where it is none. */
export function readAddress(
  url: string,
): { readonly host: string; readonly port: number; readonly isLdaps: boolean; readonly isUsualPort: boolean } | undefined {
  const parts = URL.canParse(url) ? new URL(url) : undefined;
  if (parts === undefined || !/^ldaps?:$/.test(parts.protocol)) {
    return undefined;
  }
  const isLdaps = parts.protocol === 'ldaps:';
  const usual = isLdaps ? 636 : 389;
  const port = parts.port === '' ? usual : Number(parts.port);
  const isBare = parts.username === '' && parts.password === '' && /^\/?$/.test(parts.pathname) && parts.search === '' && parts.hash === '';
  const host = parts.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return isBare && host !== '' && port > 0 ? { host, port, isLdaps, isUsualPort: port === usual } : undefined;
}

/** True if a name or an address means this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Returns all that is wrong. Filters are parsed by the library that sends them. */
export function findSettingFaults(settings: LdapSettings): SettingFault[] {
  const faults: SettingFault[] = [];
  const add = (field: keyof LdapSettings, reason: string): void => void faults.push({ field, reason });
  for (const [field, length] of Object.entries(maxLengths) as [keyof typeof maxLengths, number][]) {
    if (settings[field].length > length) {
      add(field, `is longer than ${length} characters`);
    }
  }
  if (readAddress(settings.url) === undefined) {
    add('url', 'must be ldaps://host or ldap://host, with a port where it is not the usual one, and nothing behind it');
  }
  if (settings.baseDn.trim() === '') {
    add('baseDn', 'must not be empty; it is the name below which people and groups lie, such as dc=example,dc=com');
  } else if (!settings.baseDn.includes('=')) {
    add('baseDn', 'must be a distinguished name such as dc=example,dc=com');
  }
  const ca = findCertificateFault(settings.ca);
  if (ca !== undefined) {
    add('ca', ca);
  }
  const { FilterParser } = loadLdapts();
  for (const field of ['userFilter', 'groupFilter', 'serviceFilter'] as const) {
    try {
      if (settings[field] !== '') {
        FilterParser.parseString(settings[field]);
      }
    } catch {
      add(field, 'is not a filter of LDAP such as (objectClass=person)');
    }
  }
  for (const field of ['attributes', 'disabledWhen'] as const) {
    const names = settings[field].map((text) => (field === 'attributes' ? text : (text.split('=')[0] ?? '')));
    const wrong = names.find((name) => !attributeName.test(name));
    const secret = names.find((name) => secretAttributes.has(name.toLowerCase()));
    if (settings[field].length > maxAttributes) {
      add(field, `has more than ${maxAttributes} entries`);
    } else if (wrong !== undefined) {
      add(field, `${JSON.stringify(wrong.slice(0, 80))} is not the name of an attribute`);
    } else if (secret !== undefined) {
      add(field, `${secret} holds a secret, and is not read`);
    }
  }
  if (settings.disabledWhen.some((text) => !/=./.test(text))) {
    add('disabledWhen', 'must be written as attribute=value, or as attribute=* for any value');
  }
  return faults;
}
