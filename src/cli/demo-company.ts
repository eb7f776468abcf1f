/**
 * The sample company of the demo: 60 invented people and what they may do in four invented apps, the same on every run. Every name says
 * that it is a sample, every mail address is under example.com; nothing of it describes anybody. How it gets in is demo-load.ts.
 */

const firstNames = [
  'Ada',
  'Ben',
  'Clara',
  'David',
  'Elif',
  'Farid',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
  'Keiko',
  'Liam',
  'Mara',
  'Nils',
  'Olga',
  'Pablo',
  'Quinn',
  'Rosa',
  'Samir',
  'Tara',
  'Uma',
  'Victor',
  'Wanda',
  'Xenia',
  'Yusuf',
  'Zoe',
  'Amara',
  'Bruno',
  'Celia',
  'Dmitri',
  'Esther',
  'Felix',
  'Gita',
  'Hana',
  'Ivan',
  'Jade',
  'Karim',
  'Lena',
  'Mateo',
  'Nadia',
  'Oscar',
  'Priya',
  'Rahel',
  'Stefan',
  'Thea',
  'Ugo',
  'Vera',
  'Wim',
  'Ximena',
  'Yara',
  'Zeno',
  'Anouk',
  'Boris',
  'Chloe',
  'Dario',
  'Emil',
  'Fatou',
  'Goran',
  'Heidi',
  'Idris',
] as const;

const departments = [
  { name: 'Bakery', jobs: ['Baker', 'Pastry cook', 'Oven engineer'] },
  { name: 'Shops', jobs: ['Shop assistant', 'Barista', 'Shop planner'] },
  { name: 'Delivery', jobs: ['Driver', 'Dispatcher', 'Route planner'] },
  { name: 'Finance', jobs: ['Accountant', 'Controller', 'Payroll clerk'] },
  { name: 'Technology', jobs: ['Developer', 'Administrator', 'Analyst'] },
] as const;

interface Person {
  readonly email: string;
  readonly name: string;
  readonly managerEmail: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly isActive: boolean;
}

/** A file to import. */
export interface SampleFile {
  /** The app's name; '' for people. */
  readonly app: string;
  readonly csv: string;
}

/** The display name of the review that the demo runs. */
export const sampleReviewName = 'Sample quarterly access review';

const people = makePeople();

/** The people of the company. */
export function writeSamplePeople(): SampleFile {
  const rows = people.map((one) => [
    one.email,
    one.name,
    one.managerEmail,
    one.department,
    one.jobTitle,
    one.isActive ? 'ACTIVE' : 'TERMINATED',
  ]);
  return { app: '', csv: writeCsv(['email', 'display_name', 'manager_email', 'department', 'job_title', 'employment_status'], rows) };
}

/** One at the top, one head for each department, the rest below them; two have left and still hold access. */
function makePeople(): readonly Person[] {
  const emailOf = (index: number): string => `${(firstNames[index] ?? 'nobody').toLowerCase()}.sample@example.com`;
  return firstNames.map((firstName, index) => {
    const department = departments[(index - 1 + departments.length) % departments.length] ?? departments[0];
    const isHead = index >= 1 && index <= departments.length;
    return {
      email: emailOf(index),
      name: `${firstName} Sample`,
      managerEmail: index === 0 ? '' : isHead ? emailOf(0) : emailOf(((index - 1) % departments.length) + 1),
      department: index === 0 ? 'Management' : department.name,
      jobTitle:
        index === 0 ? 'Managing director' : isHead ? `Head of ${department.name}` : (department.jobs[index % department.jobs.length] ?? ''),
      isActive: index !== 41 && index !== 57,
    };
  });
}

interface AppPlan {
  readonly name: string;
  readonly resourceType: string;
  /** Resource and entitlements, each with the share of eligible people who hold it, in per cent. */
  readonly entitlements: readonly (readonly [resource: string, entitlement: string, percent: number])[];
  /** Departments that have accounts; empty for all. */
  readonly departments: readonly string[];
  readonly serviceAccounts: readonly string[];
}

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
    departments: ['Shops', 'Delivery', 'Bakery', 'Technology'],
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
  },
];

const grantColumns = [
  'account',
  'email',
  'account_type',
  'account_status',
  'resource_type',
  'resource',
  'entitlement',
  'granted_at',
  'last_used_at',
];

/** The accounts and grants of each app. */
export function writeSampleGrants(): SampleFile[] {
  return apps.map((app, appIndex) => {
    const random = createRandom(appIndex + 1);
    const rows: string[][] = [];
    const eligible = people.filter((person) => app.departments.length === 0 || app.departments.includes(person.department));
    for (const person of eligible) {
      const account = person.email.replace('@example.com', '');
      const status = person.isActive || random() < 0.5 ? 'ENABLED' : 'DISABLED';
      for (const [resource, entitlement, percent] of app.entitlements) {
        if (random() * 100 < percent) {
          rows.push([account, person.email, 'USER', status, app.resourceType, resource, entitlement, ...makeDates(random)]);
        }
      }
    }
    for (const [index, name] of app.serviceAccounts.entries()) {
      // Every second one belongs to nobody: what a review is there to find.
      const owner = index % 2 === 0 ? (people[5]?.email ?? '') : '';
      for (const [resource, entitlement] of app.entitlements.filter((_, position) => position % 2 === 0)) {
        rows.push([name, owner, 'SERVICE_ACCOUNT', 'ENABLED', app.resourceType, resource, entitlement, ...makeDates(random)]);
      }
    }
    return { app: app.name, csv: writeCsv(grantColumns, rows) };
  });
}

/** When it was granted, and when last used: one in six is not known, one in six is long ago. */
function makeDates(random: () => number): [string, string] {
  const day = 86_400_000;
  const today = Date.UTC(2026, 0, 31);
  const granted = today - Math.floor(30 + random() * 1400) * day;
  const kind = random();
  const used = kind < 1 / 6 ? undefined : today - Math.floor((kind < 1 / 3 ? 200 : 1) + random() * 60) * day;
  return [new Date(granted).toISOString(), used === undefined ? '' : new Date(Math.max(used, granted)).toISOString()];
}

/** The same numbers between 0 and 1 for the same seed, everywhere (a 32-bit linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** No cell here holds a comma, a quote or a line break. */
function writeCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}
