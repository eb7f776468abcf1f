/**
 * The person for whom a pushed user stands: whose record it is (module people), or one made for it. A person whom the source made, or was given, then
 * says what the provider says. Of all others, and of what is guarded of those who hold a role, a claim waits for an administrator.
 */
import type { Context } from '../../context.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { sql } from '../../lib/sql.ts';
import { newId } from '../../wire/ids.ts';
import {
  countActiveHolders,
  countSuspensions,
  findUser,
  findUserByEmail,
  insertPeople,
  releaseAddresses,
  ROLES,
  updateDisabledPeople,
  updatePeople,
  type UserRow,
} from '../../foundation/directory/index.ts';
import { listPersonKeys, matchPerson, matchPersonAnew, type PersonRematch } from '../identity/index.ts';
import {
  type Correlation,
  correlate,
  endKept,
  endRecord,
  findRecordOf,
  findStanding,
  isKnownElsewhere,
  keepRecord,
  type PushedRecord,
  type Standing,
} from '../people/index.ts';
import {
  compareWith,
  contentWith,
  countAbove,
  type Described,
  findBelonging,
  findExternalId,
  getPersonRowSql,
  guarded,
  insertBelonging,
  isRefused,
  isSaidBy,
  makeClaim,
  type PersonContent,
  type Wanted,
  withdrawClaim,
} from '../person-claims/index.ts';
import { ScimError, findResource } from './document/index.ts';
import { type Facts, readFacts } from './facts.ts';
import { listKeysOfRecords } from './record-keys.ts';
import { lockSource, type ScimSource } from './source.ts';
import { findPersonOfUser, getIsPersonSql } from './store-people.ts';
import { findScimSource } from './store-source.ts';

/** A pushed user: what is said of them before and now. */
export interface PushedPerson {
  /** The SCIM id. */
  readonly id: string;
  /** True if an administrator says right now that it is somebody new. */
  readonly isDecidedNew?: boolean;
  /** True if the provider says nothing of its status now, whatever it said before. */
  readonly isSilent: boolean;
  readonly before: Facts | undefined;
  readonly facts: Facts;
}

/** Result for the person. */
export interface MergedPerson {
  /** Null while it is disputed whose the record is, or where it is ignored. */
  readonly id: string | null;
  readonly email: string;
  readonly isNew: boolean;
  readonly changed: boolean;
  /** Whether the provider says that they are enabled, or said so last. */
  readonly isActive: boolean;
  /** A deleted person owns no account, until an administrator lets the source bring them back. */
  readonly isGone: boolean;
  /** Problem with a manager who could not be followed: somebody unknown, or a circle; '' where nothing is. */
  readonly managerProblem: '' | 'unknown' | 'circle';
  /** Reason that somebody stays as they are though the provider says otherwise; '' where nothing is. */
  readonly stays: '' | 'terminated' | 'last_administrator';
  /** Reason that it is disputed whose the record is, and whose it may be; undefined where it is not. */
  readonly dispute: { readonly recordId: string; readonly reason: string; readonly candidateIds: readonly string[] } | undefined;
  /** People who stood for the pushed user until now, or whose record was kept until it was known whose this one is. */
  readonly formerIds: readonly string[];
  /** The accounts, of whatever app, that are theirs now, or no longer; undefined where nothing changed by which accounts are matched. */
  readonly rematch: PersonRematch | undefined;
}

/**
 * Keeps what the provider says as a record, makes its person say it, as far as the source may, and matches the accounts again that this could
 * concern. 409 where the address is that of somebody else who is there. The lock of roles is held, and no revision is taken yet.
 */
export async function mergePerson(context: Context, source: ScimSource, pushed: PushedPerson): Promise<MergedPerson> {
  const { facts } = pushed;
  const push: PushedRecord = {
    sourceId: source.id,
    scimId: pushed.id,
    externalId: facts.externalId,
    email: facts.email,
    displayName: facts.displayName,
    username: facts.userName,
    employeeId: facts.employeeId,
    isActive: facts.saysActive,
  };
  const { found, belongs } = pushed.isDecidedNew === true ? await decideNew(context, push) : await findWhose(context, source, push);
  const was = await listKeysOfRecords(context, push, found);
  if (found.userId === null && found.outcome !== 'NEW') {
    const isEnabled = facts.saysActive ?? found.record?.isEnabled ?? null;
    const kept = await keepRecord(context, push, found, { userId: null, isHeard: false, isEnabled });
    await settlePeople(context, source, kept.formerIds);
    const concerned = [...new Set([...was.ids, ...kept.formerIds])];
    return {
      id: null,
      email: facts.email,
      isNew: false,
      changed: false,
      isActive: isEnabled ?? true,
      isGone: false,
      managerProblem: '',
      stays: '',
      dispute: found.outcome === 'DISPUTED' ? { recordId: kept.id, reason: found.reason, candidateIds: found.candidateIds } : undefined,
      formerIds: kept.formerIds,
      rematch: concerned.length === 0 ? undefined : await matchPersonAnew(context, concerned, was.keys, 'SCIM'),
    };
  }
  const person = found.userId === null ? undefined : await findUser(context, found.userId);
  const id = person?.id ?? newId(context.now);
  const isHeard = person === undefined || (belongs ?? (await findBelonging(context, id, source.id)));
  const isEnabled = await sayEnabled(context, source, push, found, person);
  if (found.leaverId !== null) {
    await releaseAddress(context, found.leaverId);
  }
  const kept = await keepRecord(context, push, found, { userId: id, isHeard, isEnabled });
  // Of somebody new, nobody else says anything yet.
  const standing =
    person === undefined
      ? { status: getStatus(isEnabled), isTerminated: false, speakerId: pushed.id }
      : await findStanding(context, id, source.id);
  const isApart = found.isDecided === true || found.record?.verdict === 'NEW_PERSON';
  const isEnabling = !pushed.isSilent || (found.outcome !== 'KNOWN' && isEnabled === true);
  const said = await applyPerson(context, source, { id, person, isHeard, standing, pushed, isApart, isEnabling });
  await settlePeople(
    context,
    source,
    kept.formerIds.filter((one) => one !== id),
  );
  const concerned = [...new Set([id, ...was.ids, ...kept.formerIds, ...(found.leaverId === null ? [] : [found.leaverId])])];
  const isSame = said.isSame && (was.isSame || !isHeard) && concerned.length === 1;
  const rematch = isSame ? undefined : await matchPerson(context, concerned, [...was.keys, ...said.keysBefore], 'SCIM');
  return {
    ...said.merged,
    id,
    isNew: person === undefined,
    isActive: isEnabled ?? person?.status !== 'DISABLED',
    dispute: undefined,
    formerIds: kept.formerIds.filter((one) => one !== id),
    rematch,
  };
}

function getStatus(isEnabled: boolean | null): Standing['status'] {
  return isEnabled === null ? null : isEnabled ? 'ENABLED' : 'DISABLED';
}

interface Whose {
  readonly found: Correlation;
  /** Whether the person is the source's; undefined where nobody looked. */
  readonly belongs?: boolean;
}

/** Whose the record is; somebody whom an administrator did not give to the source is not who it means, once it says another address. */
async function findWhose(context: Context, source: ScimSource, push: PushedRecord): Promise<Whose> {
  const found = await correlate(context, push);
  if (found.outcome !== 'KNOWN' || found.userId === null || push.email === '') {
    return { found };
  }
  if (await findBelonging(context, found.userId, source.id)) {
    return { found, belongs: true };
  }
  const known = await findUser(context, found.userId);
  const isOther = getAddressKey(known?.email ?? '') !== getAddressKey(push.email) && (await isRefused(context, found.userId, source.id));
  return isOther ? { found: await correlate(context, push, true) } : { found, belongs: false };
}

/** Takes an administrator's word that the record is somebody new. */
async function decideNew(context: Context, push: PushedRecord): Promise<Whose> {
  const { record, former, isTwice } = await correlate(context, push);
  const found = {
    outcome: 'NEW' as const,
    reason: '' as const,
    userId: null,
    candidateIds: [],
    leaverId: null,
    record,
    former,
    isTwice,
    isDecided: true,
  };
  return { found };
}

/** Says whether somebody is enabled for the source: what it said before where it says nothing, and nothing where others know them and it never said. */
async function sayEnabled(
  context: Context,
  source: ScimSource,
  push: PushedRecord,
  found: Correlation,
  person: UserRow | undefined,
): Promise<boolean | null> {
  if (push.isActive !== undefined) {
    return push.isActive;
  }
  if (found.outcome === 'KNOWN' && found.record !== undefined) {
    return found.record.state === 'LIVE' ? found.record.isEnabled : null;
  }
  return person !== undefined && (await isKnownElsewhere(context, person.id, source.id)) ? null : true;
}

interface Applied {
  readonly isSame: boolean;
  readonly keysBefore: Awaited<ReturnType<typeof listPersonKeys>>;
  readonly merged: Pick<MergedPerson, 'email' | 'changed' | 'isGone' | 'managerProblem' | 'stays'>;
}

/** Makes a person say what their records say: of two users of the provider that are one person, the attributes of the one that speaks for them. */
async function applyPerson(
  context: Context,
  source: ScimSource,
  of: {
    readonly id: string;
    readonly person: UserRow | undefined;
    readonly isHeard: boolean;
    readonly standing: Standing;
    readonly pushed: PushedPerson;
    /** True if an administrator said that they are not who has their address. */
    readonly isApart: boolean;
    /** True if it may enable them: what says nothing of their status leaves it as it was. */
    readonly isEnabling: boolean;
  },
): Promise<Applied> {
  const { id, person, standing } = of;
  const told = await findSpeaker(context, source, standing, of.pushed);
  const manager = await findManager(context, source, told, id, person);
  const { saysActive } = of.pushed.facts;
  // Of somebody who is not the source's, an administrator sees what it says.
  const { status, stays } =
    of.isHeard || saysActive === undefined
      ? await judgeStatus(context, person, standing, of.pushed.facts, of.isEnabling)
      : { status: saysActive ? ('ENABLED' as const) : ('DISABLED' as const), stays: '' as const };
  const described = person === undefined ? undefined : { ...person, externalId: await findExternalId(context, id) };
  const said = contentOf(source, told, described, manager.id, status);
  // Only a new address is refused: somebody whose address another has by now is disabled all the same.
  const isKept = of.isApart || told.facts.email === told.before?.email || status === 'DISABLED';
  const wanted = isKept && isThere(await findOtherHolder(context, id, said.email)) ? { ...said, email: person?.email ?? '' } : said;
  const content = described === undefined ? wanted : await permitContent(context, source, described, wanted, of.isHeard);
  if (content !== undefined) {
    await makeRoom(context, id, person, content.email);
  }
  const isSame = content === undefined || !isFoundOtherwise(person, content);
  const keysBefore = isSame || person === undefined ? [] : await listPersonKeys(context, [id]);
  const isWritten = described !== undefined && content !== undefined && !isSaidBy(described, content);
  const changed = person === undefined || (isWritten && (await updatePeople(context, getPersonRowSql(id, content, false))) > 0);
  if (person === undefined) {
    await insertPeople(context, getPersonRowSql(id, wanted, true));
    await insertBelonging(context, { userId: id, sourceId: source.id, how: 'MADE', givenById: '' });
  }
  const isGone = content === undefined && person?.status === 'DELETED';
  const email = content?.email ?? person?.email ?? '';
  return { isSame, keysBefore, merged: { email, changed, isGone, managerProblem: manager.problem, stays } };
}

/** The user of the provider whose attributes are the person's: the pushed one, but for a second one of the same person. */
async function findSpeaker(context: Context, source: ScimSource, { speakerId }: Standing, pushed: PushedPerson): Promise<PushedPerson> {
  if (speakerId === null || speakerId === pushed.id) {
    return pushed;
  }
  const resource = await findResource(context, source.id, 'USER', speakerId);
  return resource === undefined
    ? pushed
    : { id: speakerId, isSilent: pushed.isSilent, before: undefined, facts: readFacts(resource.document) };
}

/** What becomes of somebody's status. The last Super Administrator stays enabled. */
async function judgeStatus(
  context: Context,
  person: UserRow | undefined,
  standing: Standing,
  facts: Facts,
  isEnabling: boolean,
): Promise<{ readonly status: 'ENABLED' | 'DISABLED'; readonly stays: MergedPerson['stays'] }> {
  const was = person === undefined || person.status === 'ENABLED' ? 'ENABLED' : 'DISABLED';
  const said = standing.status ?? (person === undefined && !facts.isActive ? 'DISABLED' : was);
  const status = isEnabling || was === 'ENABLED' ? said : was;
  if (status === 'DISABLED' && person !== undefined && (await isLastAdministrator(context, person))) {
    return { status: 'ENABLED', stays: 'last_administrator' };
  }
  return { status, stays: standing.isTerminated && facts.saysActive === true && status === 'DISABLED' ? 'terminated' : '' };
}

async function isLastAdministrator(context: Context, person: UserRow): Promise<boolean> {
  const roleId = ROLES.SUPER_ADMINISTRATOR.id;
  return person.status === 'ENABLED' && person.roleIds.includes(roleId) && (await countActiveHolders(context, roleId, person.id)) === 0;
}

/** Somebody else who has the address; undefined for nobody. */
async function findOtherHolder(context: Context, id: string, email: string): Promise<UserRow | undefined> {
  const holder = email === '' ? undefined : await findUserByEmail(context, email);
  return holder?.id === id ? undefined : holder;
}

function isThere(holder: UserRow | undefined): boolean {
  return holder !== undefined && holder.status === 'ENABLED' && holder.employmentStatus !== 'TERMINATED';
}

/** Makes room for the address: it moves on from somebody who left. 409 where it is that of somebody who is there. */
async function makeRoom(context: Context, id: string, person: UserRow | undefined, email: string): Promise<void> {
  if (email === '' || person?.email === email) {
    return;
  }
  const holder = await findOtherHolder(context, id, email);
  if (isThere(holder)) {
    throw new ScimError(
      409,
      'uniqueness',
      `Another person, who is there, has the address ${JSON.stringify(email)}. If they gave it up, push their user with the new one first: of two who swap, ` +
        'one takes another address in between. If both are one, an administrator merges them: countersign identity merge.',
    );
  }
  if (holder !== undefined) {
    await releaseAddress(context, holder.id);
  }
}

function releaseAddress(context: Context, id: string): Promise<void> {
  return releaseAddresses(context, sql`SELECT ${id}::text AS id`);
}

/**
 * Picks what the source may write of a person who is there; undefined for nothing. All of a person of its own, but for what is guarded where they
 * hold a role; nothing of another's. What it may not write becomes a claim.
 */
async function permitContent(
  context: Context,
  source: ScimSource,
  person: Described,
  wanted: PersonContent,
  isHeard: boolean,
): Promise<PersonContent | undefined> {
  const differing = compareWith(person, wanted);
  const of = { userId: person.id, sourceId: source.id };
  if (!isHeard) {
    await makeClaim(context, { ...of, kind: 'MATCH', wanted: differing });
    return undefined;
  }
  const careful = Object.fromEntries(Object.entries(differing).filter(([member]) => (guarded as readonly string[]).includes(member)));
  // What was suspended when they left is given back to whoever they are by then.
  const isHolder = person.roleIds.length > 0 || (Object.keys(careful).length > 0 && (await countSuspensions(context, person.id, [])) > 0);
  const waiting: Wanted = isHolder ? careful : {};
  if (Object.keys(waiting).length === 0) {
    await withdrawClaim(context, person.id, source.id);
    return wanted;
  }
  await makeClaim(context, { ...of, kind: 'CHANGE', wanted: waiting });
  const rest = Object.fromEntries(Object.entries(differing).filter(([member]) => !Object.hasOwn(waiting, member)));
  return contentWith(person, rest, source.id);
}

/** True if accounts are matched to them by something they did not have before. */
function isFoundOtherwise(found: UserRow | undefined, content: PersonContent): boolean {
  return (
    found === undefined ||
    found.status === 'DELETED' ||
    found.email !== content.email ||
    found.username !== content.username ||
    found.employeeId !== content.employeeId
  );
}

function contentOf(
  source: ScimSource,
  { before, facts }: PushedPerson,
  found: Described | undefined,
  managerId: string | null,
  status: 'ENABLED' | 'DISABLED',
): PersonContent {
  // What the provider does not say, and did not say before, is left as others said it.
  const pick = (name: 'jobTitle' | 'employmentType' | 'department' | 'employeeId' | 'externalId'): string =>
    facts[name] !== '' || (before?.[name] ?? '') !== '' ? facts[name] : (found?.[name] ?? '');
  return {
    email: facts.email || (found?.email ?? ''),
    displayName: facts.displayName,
    status,
    username: facts.userName,
    employeeId: pick('employeeId'),
    externalId: pick('externalId'),
    employmentType: pick('employmentType'),
    department: pick('department'),
    jobTitle: pick('jobTitle'),
    managerId,
    source: source.id,
  };
}

async function findManager(
  context: Context,
  source: ScimSource,
  { before, facts }: PushedPerson,
  personId: string,
  found: UserRow | undefined,
): Promise<{ id: string | null; problem: MergedPerson['managerProblem'] }> {
  if (facts.managerId === '') {
    return { id: (before?.managerId ?? '') === '' ? (found?.managerId ?? null) : null, problem: '' };
  }
  const id = await findPersonOfUser(context, source.id, facts.managerId);
  if (id === undefined) {
    return { id: null, problem: 'unknown' };
  }
  return (await countAbove(context, id, personId)) > 0 ? { id: null, problem: 'circle' } : { id, problem: '' };
}

/** As settlePeople, after an administrator's answer. The lock of roles is held. */
export async function settle(context: Context, sourceId: string, userIds: readonly string[]): Promise<MergedPerson['stays']> {
  const source = await findScimSource(context, sourceId);
  if (source === undefined) {
    return '';
  }
  await lockSource(context, source, true);
  return settlePeople(context, source, userIds);
}

/** Gives people the status, and the attributes, that is left to them by records that are not this user's any more. */
async function settlePeople(context: Context, source: ScimSource, userIds: readonly string[]): Promise<MergedPerson['stays']> {
  let result: MergedPerson['stays'] = '';
  for (const id of userIds) {
    const person = await findUser(context, id);
    const standing = await findStanding(context, id, source.id);
    const resource = standing.speakerId === null ? undefined : await findResource(context, source.id, 'USER', standing.speakerId);
    if (resource === undefined) {
      // What the source asked to change of them may have been somebody else's, who is pushed over them piece by piece.
      await withdrawClaim(context, id, source.id);
    }
    if (person !== undefined && resource !== undefined) {
      const pushed = { id: resource.id, isSilent: true, before: undefined, facts: readFacts(resource.document) };
      const isHeard = await findBelonging(context, id, source.id);
      result = (await applyPerson(context, source, { id, person, isHeard, standing, pushed, isApart: true, isEnabling: false })).merged
        .stays;
    } else if (person?.status === 'ENABLED' && standing.status === 'DISABLED') {
      if (await isLastAdministrator(context, person)) {
        result = 'last_administrator';
      } else {
        await updateDisabledPeople(context, getIsPersonSql(id));
      }
    }
  }
  return result;
}

/**
 * Ends the record of a user who goes. Its person is disabled where no source says any more that they are there; somebody who is not the source's stays
 * as they are. Returns why they stay though the source may disable them, and the accounts that are matched otherwise without the record.
 */
export async function endPerson(context: Context, source: ScimSource, scimId: string): Promise<Pick<MergedPerson, 'stays' | 'rematch'>> {
  const record = await findRecordOf(context, source.id, scimId);
  if (record === undefined) {
    return { stays: '', rematch: undefined };
  }
  const concerned = [...(record.userId === null ? [] : [record.userId]), ...record.candidateIds];
  const keysBefore = await listPersonKeys(context, concerned);
  await endRecord(context, record.id);
  const kept = await endKept(context, source.id, record.candidateIds);
  if (record.userId !== null && !(await findBelonging(context, record.userId, source.id))) {
    await withdrawClaim(context, record.userId, source.id);
  }
  const stays = await settlePeople(context, source, record.userId === null ? kept : [record.userId, ...kept]);
  return { stays, rematch: await matchPersonAnew(context, concerned, keysBefore, 'SCIM') };
}
