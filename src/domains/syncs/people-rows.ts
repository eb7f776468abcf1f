/**
 * One row of a people file.
 */
import type { RowFormat } from './read-file.ts';
import { escapeCopy, readEmail, readProfile, readText, readWord } from './fields.ts';

const columns = ['email', 'display_name', 'manager_email', 'department', 'job_title', 'employment_status'] as const;
/** A file may have these. */
const optional = ['employee_id', 'username', 'employment_type'] as const;
const statuses = ['ACTIVE', 'TERMINATED'] as const;

type PeopleColumn = (typeof columns)[number] | (typeof optional)[number];

/** How a people file is read; the COPY columns are those of stagePeopleFile in store-staging.ts. */
export const peopleRows: RowFormat<PeopleColumn> = {
  kind: 'people',
  wanted: columns,
  optional,
  defaults: { display_name: '', manager_email: '', department: '', job_title: '', employment_status: '' },
  prepare({ at, others }) {
    return (row, line, complain) => {
      // Every index is below the number of columns, which was checked.
      const field = (name: PeopleColumn) => row[at[name]] as string;
      // Nothing in a column that is there says that there is none; only without the column is nothing said.
      const optionalField = (name: (typeof optional)[number]) => (at[name] < 0 ? '\\N' : escapeCopy(readText(field(name), name, complain)));
      const email = readEmail(field('email'), 'email', complain);
      if (field('email').trim() === '') {
        complain('email', 'must not be empty');
      }
      const manager = readEmail(field('manager_email'), 'manager_email', complain);
      const status = readWord(field('employment_status'), statuses, 'employment_status', complain);
      const profile = others.length === 0 ? '' : readProfile(row, others);
      return [
        String(line),
        escapeCopy(email),
        escapeCopy(email.toLowerCase()),
        escapeCopy(field('display_name').trim() || email),
        escapeCopy(manager.toLowerCase()),
        escapeCopy(field('department').trim()),
        escapeCopy(field('job_title').trim()),
        status,
        optionalField('username'),
        optionalField('employee_id'),
        optionalField('employment_type'),
        profile === '' ? '{}' : escapeCopy(profile),
      ].join('\t');
    };
  },
};
