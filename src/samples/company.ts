/**
 * The people of the sample company: 60, invented, the same on every run. Every name says that it is a sample, every mail address is
 * under example.com; nothing of it describes anybody. What they may do is access.ts, how it gets in load.ts.
 */
import { sampleMailEnd } from './names.ts';

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

/** Somebody of the sample company. */
export interface SamplePerson {
  readonly email: string;
  /** Name in the tills: two letters, which some share. */
  readonly username: string;
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
  /** The source's name; '' for the usual one. */
  readonly source: string;
  readonly csv: string;
}

/** The display name of the review that is run in it. */
export const sampleReviewName = 'Sample quarterly access review';

/** Everybody, the managing director first. */
export const samplePeople = makePeople();

/** The people of the company. */
export function writeSamplePeople(): SampleFile {
  const rows = samplePeople.map((one) => [
    one.email,
    one.username,
    one.name,
    one.managerEmail,
    one.department,
    one.jobTitle,
    one.isActive ? 'ACTIVE' : 'TERMINATED',
  ]);
  const columns = ['email', 'username', 'display_name', 'manager_email', 'department', 'job_title', 'employment_status'];
  return { app: '', source: '', csv: writeCsv(columns, rows) };
}

/** One at the top, one head for each department, the rest below them; two have left and still hold access. */
function makePeople(): readonly SamplePerson[] {
  const emailOf = (index: number): string => `${(firstNames[index] ?? 'nobody').toLowerCase()}${sampleMailEnd}`;
  return firstNames.map((firstName, index) => {
    const department = departments[(index - 1 + departments.length) % departments.length] ?? departments[0];
    const isHead = index >= 1 && index <= departments.length;
    return {
      email: emailOf(index),
      username: firstName.slice(0, 2).toLowerCase(),
      name: `${firstName} Sample`,
      managerEmail: index === 0 ? '' : isHead ? emailOf(0) : emailOf(((index - 1) % departments.length) + 1),
      department: index === 0 ? 'Management' : department.name,
      jobTitle:
        index === 0 ? 'Managing director' : isHead ? `Head of ${department.name}` : (department.jobs[index % department.jobs.length] ?? ''),
      isActive: index !== 41 && index !== 57,
    };
  });
}

/** The text of a file. No cell of it may hold a comma, a quote or a line break. */
export function writeCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}
