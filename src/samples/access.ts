/**
 * Access of the people of the sample company: four apps that files report, one of them from two sources and one twice, and one that is kept
 * manually. It shows what an inventory is looked at for: inheritance, leavers with accounts, unowned accounts, changes.
 */
import { type SampleFile, samplePeople, writeCsv } from './company.ts';

interface AppPlan {
  readonly name: string;
  readonly resourceType: string;
  /** Resource and entitlements, each with the share of eligible people who hold it, in per cent. */
  readonly entitlements: readonly (readonly [resource: string, entitlement: string, percent: number])[];
  /** Departments that have accounts; empty for all. */
  readonly departments: readonly string[];
  readonly serviceAccounts: readonly string[];
  /** Resources that people hold through their team alone; absent where there are no teams. */
  readonly throughTeam?: readonly string[];
}

/** The app of which an earlier file is imported too. */
const appWithHistory = 'Sample Ledger';
const teamType = 'team';
const team = 'Developers';

const apps: readonly AppPlan[] = [
  {
    name: 'Sample Mail',
    resourceType: 'mailbox',
    departments: [],
    entitlements: [
      ['Personal mailbox', 'Use', 100],
      ['Company news', 'Read', 100],
      ['Company news', 'Write', 9],
      ['Customer questions', 'Answer', 30],
      ['Company calendar', 'Read', 95],
      ['Meeting rooms', 'Book', 65],
      ['All mailboxes', 'Administer', 4],
    ],
    serviceAccounts: ['newsletter-robot'],
  },
  {
    name: 'Sample Ledger',
    resourceType: 'ledger',
    departments: ['Finance', 'Management', 'Technology'],
    entitlements: [
      ['Invoices', 'Read', 90],
      ['Invoices', 'Approve', 40],
      ['Payments', 'Prepare', 60],
      ['Payments', 'Release', 30],
      ['Payroll', 'Read', 45],
      ['Payroll', 'Change', 20],
    ],
    serviceAccounts: ['bank-interface', 'old-report-job'],
  },
  {
    name: 'Sample Orders',
    resourceType: 'area',
    departments: ['Management', 'Shops', 'Delivery', 'Bakery', 'Technology'],
    entitlements: [
      ['Orders', 'Read', 95],
      ['Orders', 'Change', 55],
      ['Prices', 'Read', 70],
      ['Prices', 'Change', 18],
      ['Refunds', 'Grant', 25],
      ['Routes', 'Plan', 30],
      ['Stock', 'Read', 85],
      ['Stock', 'Correct', 35],
    ],
    serviceAccounts: ['till-sync'],
  },
  {
    name: 'Sample Code',
    resourceType: 'repository',
    departments: ['Technology'],
    entitlements: [
      ['Website', 'Read', 100],
      ['Website', 'Write', 80],
      ['Oven control', 'Read', 90],
      ['Oven control', 'Write', 50],
      ['Secrets', 'Read', 35],
      ['Production', 'Deploy', 45],
    ],
    serviceAccounts: ['build-robot', 'deploy-robot'],
    throughTeam: ['Website'],
  },
];

/** The columns of a file, each with the cell of a row that stands in it. */
const cellOfColumn = {
  account: 'account',
  email: 'email',
  account_type: 'type',
  account_status: 'status',
  resource_type: 'resourceType',
  resource: 'resource',
  entitlement: 'entitlement',
  granted_at: 'granted',
  last_used_at: 'used',
  granted_via: 'via',
} as const;

type Row = Readonly<Record<(typeof cellOfColumn)[keyof typeof cellOfColumn], string>>;

const writeGrants = (app: string, source: string, rows: readonly Row[]): SampleFile => ({
  app,
  source,
  csv: writeCsv(
    Object.keys(cellOfColumn),
    rows.map((row) => Object.values(cellOfColumn).map((cell) => row[cell])),
  ),
});

/**
 * The files of accounts and grants, in the order in which they are to be imported. Their dates lie before `now`, so that the samples look the
 * same whenever they are loaded.
 */
export function writeSampleGrants(now: Date): SampleFile[] {
  return apps.flatMap((app, appIndex) => {
    const rows = makeRows(app, createDated(appIndex + 1, now));
    const latest = writeGrants(app.name, '', rows);
    return app.name === appWithHistory ? [writeGrants(app.name, '', makeEarlier(app, rows, now)), latest] : [latest];
  });
}

/** The names of the apps that files report. */
export const sampleAppNames: readonly string[] = apps.map(({ name }) => name);

function makeRows(app: AppPlan, { random, makeDates }: Dated): Row[] {
  const rows: Row[] = [];
  const make = (of: Pick<Row, 'account' | 'email' | 'type' | 'status'>, resource: string, entitlement: string, use: Use): void => {
    const via = app.throughTeam?.includes(resource) === true && of.type === 'USER' ? `${teamType}/${team}/Member` : '';
    rows.push({ ...of, resourceType: app.resourceType, resource, entitlement, ...makeDates(use), via });
  };
  const eligible = samplePeople.filter((person) => app.departments.length === 0 || app.departments.includes(person.department));
  for (const person of eligible) {
    const status = person.isActive || random() < 0.5 ? 'ENABLED' : 'DISABLED';
    const of = { account: person.email.replace('@example.com', ''), email: person.email, type: 'USER', status };
    // Who has no manager is asked about by whoever loads the samples, and that is to be a few odd things among many that are as they should be.
    const use = person.managerEmail === '' ? 'LATELY' : 'ANY';
    if (app.throughTeam !== undefined) {
      rows.push({ ...of, resourceType: teamType, resource: team, entitlement: 'Member', ...makeDates('ANY'), via: '' });
    }
    for (const [resource, entitlement, percent] of app.entitlements) {
      if (random() * 100 < percent) {
        make(of, resource, entitlement, use);
      }
    }
  }
  for (const [index, account] of app.serviceAccounts.entries()) {
    // Every second one belongs to nobody: what a review is there to find.
    const isOwned = index % 2 === 0;
    const email = isOwned ? (samplePeople[5]?.email ?? '') : '';
    const held = app.entitlements.filter((_, position) => position % 2 === 0);
    // An unowned one holds one right, since the same person is asked about it.
    for (const [resource, entitlement] of isOwned ? held : held.slice(-1)) {
      make({ account, email, type: 'SERVICE_ACCOUNT', status: 'ENABLED' }, resource, entitlement, isOwned ? 'ANY' : 'LONG_AGO');
    }
  }
  return rows;
}

/** Makes an app as it was at the sync before: some grants were not there yet, some were not used yet, and an account was. */
function makeEarlier(app: AppPlan, rows: readonly Row[], now: Date): Row[] {
  const known = rows.filter((_, index) => index % 9 !== 4).map((row, index) => (index % 7 === 3 ? { ...row, used: '' } : row));
  const gone = app.entitlements.slice(0, 3).map(([resource, entitlement]) => ({
    account: 'migration-job',
    email: '',
    type: 'SERVICE_ACCOUNT',
    status: 'ENABLED',
    resourceType: app.resourceType,
    resource,
    entitlement,
    granted: new Date(startOfDay(now) - 240 * dayMs).toISOString(),
    used: '',
    via: '',
  }));
  return [...known, ...gone];
}

/**
 * Report of a second source for the app of orders: the tills of the shops, which know no mail addresses, only user names. Two people share one, so
 * that account is unowned until somebody says whose it is.
 */
export function writeSampleTills(now: Date): SampleFile {
  const { makeDates } = createDated(99, now);
  const rows = samplePeople
    .filter((person) => person.department === 'Shops')
    .map(({ username }) => ({
      account: username,
      email: '',
      type: 'USER',
      status: 'ENABLED',
      resourceType: 'till',
      resource: 'Shop till',
      entitlement: 'Sell',
      ...makeDates('ANY'),
      via: '',
    }));
  return writeGrants('Sample Orders', 'tills', rows);
}

/** The app that no file reports: what is handed out, and to whom, is written down manually. */
export const sampleManualApp = {
  name: 'Sample Keys',
  entitlements: [
    { name: 'Office key', emails: samplePeople.filter(({ jobTitle }) => /^Head of|^Managing/.test(jobTitle)).map(({ email }) => email) },
    { name: 'Safe key', emails: samplePeople.filter(({ jobTitle }) => jobTitle === 'Head of Finance').map(({ email }) => email) },
  ],
} as const;

const dayMs = 86_400_000;

/** Midnight of the day, UTC: whoever loads the samples twice in a day gets the same files. */
function startOfDay(now: Date): number {
  return Math.floor(now.getTime() / dayMs) * dayMs;
}

/** How long ago a right was used; one of ANY is not known in one of eight cases, and long ago in one of four. */
type Use = 'ANY' | 'LATELY' | 'LONG_AGO';

/** Numbers by chance, and dates made of them. */
interface Dated {
  random(): number;
  /** Dates a right was granted and last used. */
  makeDates(use: Use): Pick<Row, 'granted' | 'used'>;
}

function createDated(seed: number, now: Date): Dated {
  const random = createRandom(seed);
  const today = startOfDay(now);
  return {
    random,
    makeDates: (use) => {
      const granted = today - Math.floor(30 + random() * 1400) * dayMs;
      const chance = random();
      const isUnknown = use === 'ANY' && chance < 1 / 8;
      const isLongAgo = use === 'LONG_AGO' || (use === 'ANY' && chance < 3 / 8);
      const used = isUnknown ? undefined : today - Math.floor((isLongAgo ? 200 : 1) + random() * 60) * dayMs;
      return {
        granted: new Date(granted).toISOString(),
        used: used === undefined ? '' : new Date(Math.max(used, granted)).toISOString(),
      };
    },
  };
}

/** The same numbers between 0 and 1 for the same seed, everywhere (a 32-bit linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
