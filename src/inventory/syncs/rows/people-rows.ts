/**
 * One row of a people file.
 */
import { getAddressKey, getIdKey, getNameKey } from '../../../lib/names/same-name.ts';
import type { RowFormat } from '../columns/index.ts';
import { escapeCopy, readEmail, readProfile, readText, readWord } from '../values/index.ts';

const columns = ['email', 'display_name', 'manager_email', 'department', 'job_title', 'employment_status'] as const;
/** A file may have these. */
const optional = ['employee_id', 'username', 'employment_type'] as const;
const statuses = ['ACTIVE', 'TERMINATED'] as const;

type PeopleColumn = (typeof columns)[number] | (typeof optional)[number];

/** Format of a people file; the COPY columns are those of stagePeopleFile in store-staging.ts. */
export const peopleRows: RowFormat<PeopleColumn> = {
  kind: 'people',
  key: 'email',
  partKeys: [],
  wanted: columns,
  optional,
  exact: [],
  defaults: { email: '', display_name: '', manager_email: '', department: '', job_title: '', employment_status: '' },
  needs: ['email', 'employee_id'],
  words: { employment_status: 'employment' },
  times: [],
  prepare({ at, others }) {
    return (row, line, complain) => {
      // Every index is below the number of columns, which was checked.
      const field = (name: PeopleColumn) => row[at[name]] as string;
      // Nothing in a column that is there says that there is none; only without the column is nothing said.
      const optionalField = (name: (typeof optional)[number]) => (at[name] < 0 ? '\\N' : escapeCopy(readText(field(name), name, complain)));
      const email = getIdKey(readEmail(field('email'), 'email', complain));
      const employeeId = at.employee_id < 0 ? '' : getIdKey(readText(field('employee_id'), 'employee_id', complain));
      if (field('email').trim() === '' && employeeId === '') {
        complain('email', at.employee_id < 0 ? 'must not be empty' : 'must not be empty where there is no employee id');
      }
      const named = getNameKey(field('manager_email'));
      const isAddress = named.includes('@');
      const manager = isAddress ? readEmail(named, 'manager_email', complain) : '';
      const status = readWord(field('employment_status'), statuses, 'employment_status', complain);
      const profile = others.length === 0 ? '' : readProfile(row, others);
      return [
        String(line),
        escapeCopy(email),
        escapeCopy(getAddressKey(email)),
        escapeCopy(field('display_name').trim() || email || employeeId),
        escapeCopy(getAddressKey(manager)),
        escapeCopy(field('department').trim()),
        escapeCopy(field('job_title').trim()),
        status,
        optionalField('username'),
        at.employee_id < 0 ? '\\N' : escapeCopy(employeeId),
        optionalField('employment_type'),
        profile === '' ? '{}' : escapeCopy(profile),
        escapeCopy(isAddress ? '' : readText(plainReference(named), 'manager_email', complain)),
        escapeCopy(isAddress ? '' : numberBehind(named)),
      ].join('\t');
    };
  },
};

/** Words that mean nobody, beside those for nothing. */
const nobody: ReadonlySet<string> = new Set(['no_manager', 'no manager']);

/** The number of a person in brackets behind their name: that of `Sample, Ann (1001)`; '' for none. */
const numberBehind = (text: string): string => getIdKey(/[^\s(].*\(([^()]*\d[^()]*)\)$/.exec(text)?.[1] ?? '');

/** A person as others are named after: `Sample, Ann (1001)` and `CN=Ann Sample,OU=Staff` are Ann Sample. */
function plainReference(text: string): string {
  if (nobody.has(text.toLowerCase())) {
    return '';
  }
  const named = /^cn=((?:\\.|[^,\\])+),/i.exec(text)?.[1]?.replace(/\\(.)/g, (_, mark: string) => mark) ?? text;
  const bare = named.replace(/\s*\([^)]*\)$/, '').toLowerCase();
  const parts = /^([^,]+),\s*([^,]+)$/.exec(bare);
  return parts === null ? bare : `${parts[2]} ${parts[1]}`;
}
