/** State of the schedule of a template: what comes next, and the beginning anew when it is switched on or changed. Nothing is made here. */
import type { Context } from '../../../context.ts';
import { ownZoneOf, readRecurrence } from './document.ts';
import { isOfSchedule, type TemplateSettings } from './members.ts';
import { findNumberFrom, findOccurrence, type Recurrence } from './recurrence.ts';
import type { TemplateChange, TemplateRow } from './store.ts';
import { findLastOccurrence } from './store-occurrences.ts';
import { findTimeZone } from '../../../foundation/tenants/index.ts';

/** The time zone in which a template counts its days: its own, else its tenant's. */
export async function templateZone(context: Context, document: TemplateSettings): Promise<string> {
  return ownZoneOf(document) ?? (await findTimeZone(context.db, context.tenantId));
}

/** The rule of an enabled schedule; undefined where it is off. */
export async function findActiveRecurrence(context: Context, document: TemplateSettings): Promise<Recurrence | undefined> {
  return document.isCampaignScheduleEnabled === true ? readRecurrence(document, await templateZone(context, document)) : undefined;
}

/** True if this change of members makes the schedule begin anew. */
export function changesSchedule(fields: readonly string[], zoneChanged: boolean): boolean {
  return zoneChanged || fields.some(isOfSchedule);
}

/** Occurrence from this number on. */
export function nextFrom(rule: Recurrence, number: number): { nextNumber: number; nextAt: Date | null } {
  return { nextNumber: number, nextAt: findOccurrence(rule, number) ?? null };
}

/**
 * A new generation of the schedule: it begins with the first occurrence from now on that is later than all that were, so that nothing is made up and
 * nothing is made twice.
 */
export async function restartSchedule(
  context: Context,
  template: Pick<TemplateRow, 'id' | 'scheduleGeneration'>,
  document: TemplateSettings,
): Promise<TemplateChange> {
  const scheduleGeneration = template.scheduleGeneration + 1;
  const rule = await findActiveRecurrence(context, document);
  if (rule === undefined) {
    return { scheduleGeneration, nextNumber: 0, nextAt: null, tenantZone: '' };
  }
  const last = await findLastOccurrence(context, template.id);
  const from = last === undefined || last < context.now ? context.now : new Date(last.getTime() + 1);
  const number = findNumberFrom(rule, from);
  return {
    scheduleGeneration,
    ...(number === undefined ? { nextNumber: 0, nextAt: null } : nextFrom(rule, number)),
    tenantZone: ownZoneOf(document) === undefined ? rule.zone : '',
  };
}
