/**
 * Rows that report the same grant and differ in a column that is only an attribute, such as the database a role is held in. They are probably
 * different grants, of which a review would ask about one: the file is refused until somebody says what the column means.
 */
import { plainName } from '../../../lib/names/plain-name.ts';
import type { Context } from '../../../context.ts';
import { type CountedNotes, isWrittenTime, maxNotesTold, readOtherTime } from '../values/index.ts';
import { listMixedAttributes, listMixedGrants, type MixedGrant } from './store-mixed-grants.ts';

/** Columns that say how a grant came about or was used, not what is granted. */
const aboutNames: ReadonlySet<string> = new Set(
  `comment comments note notes remark remarks reason justification description details ticket ticketid ticketnumber requestid requestnumber request incident
  grantor grantedby assignedby addedby createdby updatedby modifiedby changedby approvedby approver approvers requestedby requester invitedby sysid sysupdatedby
  syscreatedby sysmodcount sysupdatedon syscreatedon syscreatedon assignmentid membershipid rowid rownumber rowno lineno lfdnr nr index age daysinactive dayssincelogin
  dayssincelastlogin kommentar bemerkung bemerkungen grund begrundung erteiltvon zugewiesenvon angelegtvon geandertvon commentaire remarque motif comentario motivo`.split(
    /\s+/,
  ),
);
/** Ends of names for a moment or a person behind a grant: `Last changed`, `change_date`, `Modified by`. */
const aboutPattern = /(date|datum|time|timestamp|zeit|fecha|heure|by|von|count|changed|modified|updated|created|since)$/;

/** The rows that report a grant of another row with a different attribute, as row errors that name the column and what to do. */
export async function findMixedGrants(context: Context, attributes: readonly string[]): Promise<CountedNotes> {
  const names = attributes.filter((name) => !isAbout(plainName(name)));
  if (names.length === 0) {
    return { count: 0, notes: [] };
  }
  const found = (await listMixedGrants(context, names, maxNotesTold)).filter((one) => !isTimes(one));
  return { count: found.reduce((sum, { count }) => sum + count, 0), notes: found.flatMap(tellMixed).slice(0, maxNotesTold) };
}

/**
 * The columns that have several values for one account, of which an attribute keeps the last, as one warning each: what such a column says may belong to
 * what is granted.
 */
export async function findMixedAttributes(context: Context, attributes: readonly string[]): Promise<CountedNotes> {
  const names = attributes.filter((name) => !isAbout(plainName(name)));
  const found = names.length === 0 ? [] : (await listMixedAttributes(context, names)).filter((one) => !isTimes(one));
  return {
    count: found.length,
    notes: found.slice(0, maxNotesTold).map(({ line, firstLine, column, value, first, account }) => ({
      line,
      column,
      reason:
        `${JSON.stringify(value)} here and ${JSON.stringify(first)} on line ${firstLine}, both of account ${JSON.stringify(account)}: as an attribute the account keeps its ` +
        `last value alone. If ${JSON.stringify(column)} is part of what is granted, use it: map=resource=${column}. If it does not matter, leave it out: map=ignore=${column}`,
    })),
  };
}

function isAbout(plain: string): boolean {
  return aboutNames.has(plain) || aboutPattern.test(plain);
}

/** True if the values are two moments, which say nothing of what is granted. */
function isTimes({ value, first }: Pick<MixedGrant, 'value' | 'first'>): boolean {
  const isTime = (text: string): boolean =>
    text === '' || isWrittenTime(text) || (/\D/.test(text) && readOtherTime(text, 'DMY') !== undefined);
  return isTime(value) && isTime(first);
}

function tellMixed({ line, firstLine, column, value, first, account, entitlement, resource, count }: MixedGrant) {
  const [name, held] = [JSON.stringify(column), JSON.stringify(entitlement)];
  const others = count > 1 ? ` The file has ${count} such rows.` : '';
  return [
    {
      line,
      column,
      reason:
        `${JSON.stringify(value)} here and ${JSON.stringify(first)} on line ${firstLine}, else the same grant: account ${JSON.stringify(account)} has ${held} of ` +
        `${JSON.stringify(resource)}.${others} If ${name} is part of what is granted, use it: map=resource=${column}, or map=entitlement with several columns joined by +. ` +
        `If it does not matter, leave it out: map=ignore=${column}`,
    },
  ];
}
