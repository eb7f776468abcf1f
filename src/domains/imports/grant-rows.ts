/**
 * One row of a grants file: an account, its owner, and one thing it holds.
 */
import type { RowFormat } from './read-file.ts';
import { escapeCopy, readEmail, readKey, readProfile, readTime, readWord } from './fields.ts';

const columns = [
  'account',
  'email',
  'account_type',
  'account_status',
  'resource_type',
  'resource',
  'entitlement',
  'granted_at',
  'last_used_at',
] as const;

const types = ['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'] as const;
const statuses = ['ENABLED', 'DISABLED'] as const;

/** How a grants file is read; the COPY columns are those of insertGrantsFile in store-staging.ts. */
export const grantRows: RowFormat<(typeof columns)[number]> = {
  wanted: columns,
  prepare({ at, others }) {
    const atAccount = at.account;
    const atEmail = at.email;
    const atType = at.account_type;
    const atStatus = at.account_status;
    const atResourceType = at.resource_type;
    const atResource = at.resource;
    const atEntitlement = at.entitlement;
    const atGranted = at.granted_at;
    const atUsed = at.last_used_at;
    return (row, line, complain, isPlain) => {
      // Every index is below the number of columns, which was checked.
      const field = (index: number) => row[index] as string;
      let account = readKey(field(atAccount), 'account', complain);
      let email = readEmail(field(atEmail), 'email', complain).toLowerCase();
      const type = readWord(field(atType), types, 'account_type', complain);
      const status = readWord(field(atStatus), statuses, 'account_status', complain);
      let resourceType = readKey(field(atResourceType), 'resource_type', complain);
      let resource = readKey(field(atResource), 'resource', complain);
      let entitlement = readKey(field(atEntitlement), 'entitlement', complain);
      const granted = readTime(field(atGranted), 'granted_at', complain);
      const used = readTime(field(atUsed), 'last_used_at', complain);
      const profile = others.length === 0 ? '' : readProfile(row, others);
      if (!isPlain) {
        account = escapeCopy(account);
        email = escapeCopy(email);
        resourceType = escapeCopy(resourceType);
        resource = escapeCopy(resource);
        entitlement = escapeCopy(entitlement);
      }
      return `${line}\t${account}\t${email}\t${type}\t${status}\t${resourceType}\t${resource}\t${entitlement}\t${granted || '\\N'}\t${used || '\\N'}\t\\N\t\\N\t\\N\t\\N\t\\N\t${profile === '' ? '\\N' : escapeCopy(profile)}`;
    };
  },
};
