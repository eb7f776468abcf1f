/** Rows of made bundles, each by its number: who and what there is, and what the rules of `madeScope` say of it. */
import { createHash, hash } from 'node:crypto';
import { canonicalJson } from '../../src/lib/log/canonical-json.ts';

export const [tenant, review, app, source, origin] = ['tenant', 'review', 'app', 'source', 'made.example/log/tenant/1'] as const;
export const at = '2026-11-27T00:00:00.000Z';
export const entitlements = 300;
export const departments = ['Sales', 'Legal', 'Support', 'Research'];
export const salt = Buffer.alloc(16, 7);
export const prefix = '0MadeItemsOfReview1';
export const perEvent = 1000;

export const madeScope = {
  scopeV2: {
    accountCriteria: { accountTypes: ['USER'] },
    userCriteria: {
      multiUserProfileAttributes: { department: { values: [{ value: 'Legal' }, { value: 'Sales' }, { value: 'Support' }] } },
    },
  },
  exclusionScope: { appUserStatuses: ['DISABLED'] },
};

export const scopeText = (members: object): string =>
  canonicalJson({
    format: 'countersign-scope-1',
    lists: { entitlements: [], entries: [], resourceTypes: [] },
    members,
    revision: 1,
    scopeType: 'BY_ENTITLEMENTS',
    takenAt: at,
  } as never);

/** The verdict that the rules of `madeScope` give. */
export const verdictOn = (account: number, entitlement: number): string =>
  entitlement % 30 === 0
    ? 'ENTITLEMENT_NOT_CHOSEN'
    : account % 40 === 1
      ? 'ACCOUNT_FILTER'
      : account % departments.length === 3
        ? 'USER_FILTER'
        : account % 20 === 2
          ? 'EXCLUSION_SCOPE'
          : 'IN';

export const id = (kind: string, number: number): string => `0${kind}${String(number).padStart(26 - kind.length, '0')}`;
export const itemId = (number: number): string =>
  `${prefix.slice(0, 13)}${String(Math.floor(number / perEvent)).padStart(6, '0')}${String((number % perEvent) + 1).padStart(8, '0')}`;
export const eventOfItem = (number: number): string => `${itemId(number).slice(0, 19)}00000000`;

/** The entitlement of a grant; none twice for one account. */
export const entitlementOf = (grant: number, each: number): number => ((grant % each) * 7 + Math.floor(grant / each)) % entitlements;

/** The rows of one of several events, by its number. */
export function ofEvent(groups: Rows[], number: number): Rows {
  groups[number] ??= new Rows();
  return groups[number];
}

/** Digest of rows as events record it. */
export class Rows {
  rows = 0;
  readonly #running = createHash('sha256');

  add(line: string): string {
    this.rows += 1;
    this.#running.update(hash('sha256', line, 'buffer'));
    return line;
  }

  said(): object {
    return { rows: this.rows, sha256: this.#running.digest('hex') };
  }
}

export const personOf = (number: number) => ({
  department: departments[number % departments.length]!,
  displayName: `Person ${number}`,
  email: `person${number}@made.example`,
  employeeId: String(number),
  employmentStatus: 'ACTIVE',
  employmentType: 'FULL_TIME',
  jobTitle: 'Engineer',
  managerEmail: '',
  managerId: id('Person', number % 100),
  profile: '{}',
  status: 'ENABLED',
  type: 'HUMAN',
  username: `person${number}`,
});

export const accountOf = (number: number) => ({
  displayName: `account ${number}`,
  email: `person${number}@made.example`,
  employeeId: '',
  externalId: `a${number}`,
  profile: '{}',
  username: `a${number}`,
});

export function* ofEach<Line>(count: number, line: (number: number) => Line): Generator<Line> {
  for (let number = 0; number < count; number++) {
    yield line(number);
  }
}
