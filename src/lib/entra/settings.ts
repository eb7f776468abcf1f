/** The settings of Microsoft Entra ID, and what is wrong with them before anybody is asked. What the app signs in with is no setting. */

/** Clouds of Microsoft that are apart from each other, and where each signs in and answers. No other host is ever asked. */
const clouds = {
  GLOBAL: { login: 'login.microsoftonline.com', graph: 'graph.microsoft.com' },
  US_GOVERNMENT: { login: 'login.microsoftonline.us', graph: 'graph.microsoft.us' },
  US_DEFENSE: { login: 'login.microsoftonline.us', graph: 'dod-graph.microsoft.us' },
  CHINA: { login: 'login.partner.microsoftonline.cn', graph: 'microsoftgraph.chinacloudapi.cn' },
} as const;

/** Name of a cloud. */
export type CloudName = keyof typeof clouds;

/** Settings of a source of kind ENTRA. */
export interface EntraSettings {
  /** GUID of the directory. */
  readonly tenantId: string;
  /** GUID of the registered app. */
  readonly clientId: string;
  readonly cloud: CloudName;
  /** Properties of users that become attributes of accounts and people. */
  readonly attributes: readonly string[];
}

/** Something wrong with a setting. */
export interface SettingFault {
  readonly field: keyof EntraSettings;
  /** A part of a sentence, such as `must be the id of the directory`. */
  readonly reason: string;
}

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const maxAttributes = 50;
const propertyName = /^[a-zA-Z][a-zA-Z0-9_]{0,199}$/;
/** Properties that hold secrets, and those that are read anyway. */
const secretProperties: ReadonlySet<string> = new Set(['passwordprofile']);
const readProperties: ReadonlySet<string> = new Set(['id', 'manager', 'signinactivity']);

/** Returns where a cloud signs in and answers. */
export function hostsOf(cloud: CloudName): { readonly login: string; readonly graph: string } {
  return clouds[cloud];
}

/** Returns all that is wrong. */
export function findSettingFaults({ tenantId, clientId, cloud, attributes }: EntraSettings): SettingFault[] {
  const faults: SettingFault[] = [];
  const add = (field: keyof EntraSettings, reason: string): void => void faults.push({ field, reason });
  if (!guid.test(tenantId)) {
    add('tenantId', 'must be the directory (tenant) ID that the overview of the app shows');
  }
  if (!guid.test(clientId)) {
    add('clientId', 'must be the application (client) ID that the overview of the app shows');
  }
  if (!Object.hasOwn(clouds, cloud)) {
    add('cloud', `must be one of ${Object.keys(clouds).join(', ')}`);
  }
  const wrong = attributes.find((name) => !propertyName.test(name));
  const secret = attributes.find((name) => secretProperties.has(name.toLowerCase()));
  const read = attributes.find((name) => readProperties.has(name.toLowerCase()));
  if (attributes.length > maxAttributes) {
    add('attributes', `has more than ${maxAttributes} entries`);
  } else if (wrong !== undefined) {
    add('attributes', `${JSON.stringify(wrong.slice(0, 80))} is not the name of a property`);
  } else if (secret !== undefined) {
    add('attributes', `${secret} holds a secret, and is not read`);
  } else if (read !== undefined) {
    add('attributes', `${read} is read anyway`);
  }
  return faults;
}
