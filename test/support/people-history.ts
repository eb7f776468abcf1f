/**
 * What two sources and four apps say of a company (company-model.ts), and what has to hold of what the server makes of it, written from the tables of who a
 * person is: it may ask, but never takes one for another.
 */
import { expect } from 'vitest';
import { type Loose, request } from './api.ts';
import { Company, type Human, type Round, type Shown } from './company-model.ts';
import { HistoryActs } from './people-history-acts.ts';
import { connectScim, patch, type ScimClient, urn } from './scim.ts';
import type { ServedTenant, TestPerson, TestServer } from './server.ts';
import { until } from './until.ts';
import { sendFile } from './world.ts';

/** Two sources of a history: a people file, and a provider that says employee ids or not, or another file; or a file that owns employment beside a provider. */
export const sources = ['a provider', 'a provider without employee ids', 'a second file', 'a provider that is late'] as const;

const basic = '000000000000000000BasicUser';
/** True if a file that owns employment says of somebody that they left, or said so last. */
const isOwnerTold = (human: Human): boolean => human.no % 3 > 0;
const role = '000000CampaignAdministrator';

/** A company, its sources and its checks. */
export class PeopleHistory {
  private readonly company = new Company();
  /** Anchors of which it was answered whose they are. */
  private readonly answered = new Set<string>();
  /** The manager of everybody, until the review was made. */
  private bossAddress = 'a1@h.test';
  private scim!: ScimClient;
  private readonly apps = new Map<string, string>();
  /** Doors by number, with the removal of each, until it is proven. */
  private readonly doors = new Map<number, { readonly revocationId: string }>();
  private readonly decided: {
    readonly userId: string;
    readonly human: Human;
    readonly at: string;
    readonly name: string;
    readonly address: string;
  }[] = [];
  /** Times that a source could not be followed at once: an address that somebody had still, or a question. */
  private lags = 0;
  private acts!: HistoryActs;
  /** Reviews that were decided after the first, and how many there may be: they take long. */
  private later = 0;
  private readonly maxLater: number;

  private readonly server: TestServer;
  private readonly tenant: ServedTenant;
  private readonly second: (typeof sources)[number];

  private constructor(server: TestServer, tenant: ServedTenant, second: (typeof sources)[number], people: number) {
    this.maxLater = people > 100 ? 2 : second === 'a provider that is late' ? 1 : 0;
    this.server = server;
    this.tenant = tenant;
    this.second = second;
  }

  /** Everybody who ever was there. */
  get humans(): readonly Human[] {
    return this.company.humans;
  }

  private readonly ok = async (method: string, path: string, body?: unknown, person: TestPerson = this.tenant.admin): Promise<Loose> => {
    const answer = await request(this.tenant, person, method, path, body);
    expect([path, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([path, 200, undefined]);
    return answer.body;
  };

  /** A company of so many people, whom both sources report, with a review that was decided and removals of what it denied. */
  static async begin(server: TestServer, tenant: ServedTenant, second: (typeof sources)[number], people: number): Promise<PeopleHistory> {
    const history = new PeopleHistory(server, tenant, second, people);
    for (let at = 0; at < people; at += 1) {
      history.company.join();
    }
    history.scim = await connectScim(tenant, 'Directory');
    history.acts = await HistoryActs.open(server, tenant, history.ok, second !== 'a provider');
    await history.importFile('hr', false);
    await history.tellSecond(true, false);
    await history.reviewDoors();
    history.bossAddress = '';
    await history.give(0);
    await history.check();
    return history;
  }

  /** What happens, what both sources say then, and what has to hold. */
  async live({ steps, isFirst, deletes, isReversed, isLate, ...round }: Round): Promise<void> {
    for (const one of steps) {
      this.company.take(one);
    }
    this.lags = 0;
    // A provider that says nothing but addresses is behind the file: what two sources say at odds, without an id, is nobody's to tell apart.
    const isFileFirst = isFirst || this.second === 'a provider without employee ids';
    const tellSecond = (): Promise<void> => this.tellSecond(deletes, isReversed, isLate);
    await (isFileFirst ? this.importFile('hr', isReversed) : tellSecond());
    await (isFileFirst ? tellSecond() : this.importFile('hr', isReversed));
    await this.importApps();
    await this.importDoors(round.doors);
    await this.check();
    await this.give(round.gives);
    if (round.restores) {
      const back = this.humans.filter((one) => one.isHere && !one.isTwo && one.holds === undefined && one.suspended.length > 0);
      await this.acts.restore(back, (human) => this.userOf(human));
    }
    await this.answerAll(round.errs);
    if (round.merges) {
      for (const human of this.humans.filter((one) => one.isTwo)) {
        await this.acts.merge(human);
      }
    }
    if (round.decides !== undefined && this.later < this.maxLater) {
      await this.decideLater(round.decides);
    }
    for (const human of this.humans.filter((one) => !one.isHere)) {
      human.roundsGone += 1;
    }
    this.company.ripen();
  }

  /** An administrator who knows everybody says whose the disputed records are; of the first one, now and then, what is wrong. */
  private async answerAll(errs: Round['errs']): Promise<void> {
    let err: Round['errs'] = errs;
    const { list } = await this.ok('GET', '/api/v1/identity/disputed?page_size=100');
    for (const { id, anchor, anchorKind, sourceId } of list) {
      const human = this.humans[Number(anchor.slice(anchorKind === 'PERSON_ANCHOR_KIND_EXTERNAL_ID' ? 2 : 1)) - 1] as Human;
      expect(this.answered.has(`${sourceId} ${anchor}`)).toBe(false);
      const [userId = ''] = await this.acts.usersOf(human);
      const isPlain = !human.isTwo && human.holds === undefined && human.suspended.length === 0;
      const another = this.humans.find(
        (one) => one !== human && one.isHere && !one.isTwo && one.holds === undefined && one.suspended.length === 0,
      );
      const answer = (isNew: boolean, whose: string): Promise<Loose> =>
        this.ok('POST', `/api/v1/identity/records/${id}/action/answer`, {
          verdict: `PERSON_RECORD_VERDICT_${isNew ? 'NEW' : 'SAME'}_PERSON`,
          userId: isNew ? '' : whose,
        });
      if (err === 'new person' && userId !== '' && isPlain) {
        await answer(true, '');
        human.isTwo = true;
        err = 'no';
      } else if (err === 'another person' && another !== undefined) {
        const wrongId = (await this.acts.usersOf(another))[0] ?? '';
        await answer(false, wrongId);
        await this.acts.takeBack(human, wrongId, id);
        err = 'no';
      } else {
        await answer(userId === '', userId);
      }
      this.answered.add(`${sourceId} ${anchor}`);
    }
  }

  private async importFile(source: string, isReversed: boolean): Promise<void> {
    const isOwner = this.second === 'a provider that is late';
    // Some leavers stay in the file for a while, as such.
    const told = this.humans.filter((human) => human.isHere || (isOwner && human.roundsGone < human.no % 3));
    const rows = told.map(
      (human) =>
        `${human.address},${human.name},${human.employeeId},${human.no === 1 ? '' : this.bossAddress}${isOwner ? (human.isHere ? ',ACTIVE' : ',TERMINATED') : ''}`,
    );
    const header = `email,display_name,employee_id,manager_email${isOwner ? ',employment_status' : ''}`;
    const text = [header, ...(isReversed ? rows.toReversed() : rows), ''].join('\n');
    const path = `/api/v1/imports/people?source=${source}&allow_removals=true`;
    const { status, body } = await sendFile(this.tenant, this.tenant.admin, path, text);
    expect([status, body.message]).toEqual([200, undefined]);
    this.lags += Number(body.import.counts.people.disputed ?? 0);
    this.lags += body.import.warnings.filter(({ reason }: Loose) => /stays as it is/.test(reason)).length;
  }

  private document(human: Human): object {
    return {
      schemas: [urn.user],
      userName: human.userName,
      externalId: `x-${human.no}`,
      active: true,
      displayName: human.name,
      emails: [{ value: human.address, primary: true }],
      ...(this.second !== 'a provider without employee ids' ? { [urn.enterprise]: { employeeNumber: human.employeeId } } : {}),
    };
  }

  private readonly pushed = new Map<string, string>();

  /** The second source, too: what changed, who left first. What is refused (an address that somebody has still) comes with the next round. */
  private async tellSecond(deletes: boolean, isReversed: boolean, isLate = false): Promise<void> {
    if (this.second === 'a second file') {
      await this.importFile('list', !isReversed);
      return;
    }
    for (const human of this.humans.filter((one) => !one.isHere && one.scimId !== '')) {
      if (isLate && this.second === 'a provider that is late' && isOwnerTold(human)) {
        expect([200, 409]).toContain((await this.scim.send('PUT', `/Users/${human.scimId}`, this.document(human))).status);
      } else if (deletes || this.company.isNameTaken(human.userName)) {
        await this.scim.ok('DELETE', `/Users/${human.scimId}`, undefined, 204);
        human.scimId = '';
      } else {
        await this.scim.ok('PATCH', `/Users/${human.scimId}`, patch({ op: 'replace', path: 'active', value: false }));
      }
    }
    const here = this.humans.filter((one) => one.isHere);
    for (const human of isReversed ? here.toReversed() : here) {
      const former = this.humans.find((one) => one !== human && one.scimId !== '' && one.userName === human.userName && !one.isHere);
      // Some providers push the joiner over the user that was disabled.
      const id = human.scimId === '' && former !== undefined ? former.scimId : human.scimId;
      const document = this.document(human);
      if (id !== '' && this.pushed.get(id) === JSON.stringify(document)) {
        continue;
      }
      const answer = await (id === '' ? this.scim.send('POST', '/Users', document) : this.scim.send('PUT', `/Users/${id}`, document));
      expect([200, 201, 409]).toContain(answer.status);
      if (answer.status === 409) {
        this.lags += 1;
      } else {
        if (former !== undefined && id === former.scimId) {
          former.scimId = '';
        }
        human.scimId = answer.body.id;
        this.pushed.set(human.scimId, JSON.stringify(document));
        this.lags += answer.body['urn:countersign:params:scim:schemas:extension:1.0:User'] === undefined ? 0 : 1;
      }
    }
  }

  /** Imports what three apps report: accounts that say an address, an employee id or a user name. */
  private async importApps(): Promise<void> {
    const here = this.humans.filter((human) => human.isHere);
    const files = {
      Mail: ['account,email,entitlement', ...here.map((human) => `m-${human.no},${human.address},Use`)],
      Staff: ['account,employee_id,entitlement', ...this.humans.map((human) => `s-${human.no},${human.employeeId},Use`)],
      Login: ['account,username,entitlement', ...here.map((human) => `l-${human.no},${human.userName},Use`)],
    };
    for (const [app, lines] of Object.entries(files)) {
      this.apps.set(app, (await this.importGrants(app, lines)).appId);
    }
  }

  private async importGrants(app: string, lines: readonly string[]): Promise<Loose> {
    const path = `/api/v1/imports/grants?app=${app}&allow_removals=true`;
    const { status, body } = await sendFile(this.tenant, this.tenant.admin, path, `${lines.join('\n')}\n`);
    expect([status, body.message]).toEqual([200, undefined]);
    return body.import;
  }

  private doorRow(no: number, how: Shown): string[] {
    const [account, name] = [`dörte-${no}`, `Büro ${no}`];
    const row = (one: string, other: string): string[] => [`${one},E${no + 1},${other}`];
    switch (how) {
      case 'as it was':
        return row(account, name);
      case 'decomposed':
        return row(account.normalize('NFD'), name.normalize('NFD'));
      case 'with spaces':
        return row(`\u00a0${account}`, `${name.replace(' ', '\u00a0 ')}\ufeff`);
      case 'in capitals':
        return row(account, name.toUpperCase());
      case 'account in capitals':
        return row(account.toUpperCase(), name);
      case 'wide':
        return row(account, name.replace('B', '\uff22'));
      case 'not':
        return [];
    }
  }

  /** Reports the doors, and looks at what became of their removals once that was followed. */
  private async importDoors(ways: readonly Shown[]): Promise<void> {
    const open = [...this.doors.keys()];
    const rows = open.flatMap((no, at) => this.doorRow(no, ways[at % ways.length] ?? 'as it was'));
    const { id, appId } = await this.importGrants('Doors', ['account,employee_id,entitlement', 'gate,,Gate', ...rows]);
    if (open.length === 0) {
      return;
    }
    await until(async () => {
      const [mark] = await this.server.test.admin('SELECT sync_id AS "syncId" FROM revocation_marks WHERE tenant_id = $1 AND app_id = $2', [
        this.tenant.id,
        appId,
      ]);
      expect(mark?.syncId).toBe(id);
    });
    for (const [at, no] of open.entries()) {
      const { state } = (await this.ok('GET', `/api/v1/revocations/${this.doors.get(no)?.revocationId}`)).revocation;
      const isProven = ways[at % ways.length] === 'not';
      expect([no, ways[at % ways.length], state]).toEqual([
        no,
        ways[at % ways.length],
        isProven ? 'REVOCATION_STATE_VERIFIED' : 'REVOCATION_STATE_IN_PROGRESS',
      ]);
      if (isProven) {
        this.doors.delete(no);
      }
    }
  }

  /** The first of all reviews some doors, and denies them. */
  private async reviewDoors(): Promise<void> {
    const numbers = [1, 2, 3, 4, 5, 6];
    const lines = [
      'account,employee_id,entitlement',
      'gate,,Gate',
      ...numbers.flatMap((no) => this.doorRow(no, 'as it was')),
      'kept,E3,Kept',
    ];
    const { appId } = await this.importGrants('Doors', lines);
    const reviewId = await this.review(this.humans[0] as Human, appId);
    await until(async () => {
      const { list } = await this.ok('GET', `/api/v1/revocations?access_review_id=${reviewId}&page_size=100`);
      const doors = list.filter((one: Loose) => one.state === 'REVOCATION_STATE_IN_PROGRESS');
      expect(doors).toHaveLength(numbers.length);
      for (const one of doors) {
        this.doors.set(Number(/dörte-(\d+)/.exec(JSON.stringify(one))?.[1]), { revocationId: one.id });
      }
    });
    expect(this.decided.length).toBeGreaterThan(numbers.length);
  }

  /** Later, somebody else decides: in some rounds they have another name by then, or are not there any more. */
  private async decideLater(at: number): Promise<void> {
    const there = this.humans.filter((one) => one.isHere && !one.isTwo);
    const [boss, first, second] = [0, 1, 2].map((add) => there[(at + add) % there.length] as Human) as [Human, Human, Human];
    const [user] = await this.server.test.admin('SELECT status, email, display_name AS name FROM users WHERE tenant_id = $1 AND id = $2', [
      this.tenant.id,
      await this.userOf(boss),
    ]);
    if (user?.status !== 'ENABLED' || user.email !== boss.address || user.name !== boss.name || boss.no === 1) {
      return;
    }
    this.later += 1;
    this.bossAddress = boss.address;
    await this.importFile('hr', false);
    this.bossAddress = '';
    const lines = [first, second].map((human) => `later-${human.no},${human.employeeId},Later`);
    const { appId } = await this.importGrants(`Later ${this.later}`, ['account,employee_id,entitlement', ...lines]);
    const count = this.decided.length;
    await this.review(boss, appId);
    expect(this.decided.length).toBeGreaterThan(count);
  }

  /** The manager of everybody decides what is in an app, and the review is closed. */
  private async review(boss: Human, appId: string): Promise<string> {
    const bossId = await this.userOf(boss);
    const person = await this.tenant.ownClient(bossId);
    const reviewId = (await this.ok('POST', '/api/v1/access_review', { displayName: 'Review', ownerIds: [this.tenant.admin.id] }))
      .accessReview.accessReview.id;
    const path = `/api/v1/access_review/${reviewId}`;
    const becomes = (state: string): Promise<void> =>
      until(async () => expect((await this.ok('GET', path)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`));
    await this.ok('POST', path, { accessReview: { singleApp: { appId } } });
    await this.ok('POST', `${path}/action/prepare`, {});
    await becomes('REVIEW');
    await this.ok('POST', `${path}/action/start`, {});
    await becomes('OPEN');
    const { rows } = await this.ok('POST', `${path}/queue`, {}, person);
    for (const row of rows.filter((one: Loose) => one.account !== 'gate')) {
      const action = row.account === 'kept' || !/Büro/.test(JSON.stringify(row)) ? 'approve' : 'deny';
      await this.ok('POST', `/api/v1/tasks/${row.taskId}/action/${action}`, { comment: 'Seen.' }, person);
    }
    await this.ok('POST', `${path}/action/close`, { decision: 'CLOSE_DECISION_SKIP' });
    await becomes('CLOSED');
    const events = await this.server.test.admin(
      `SELECT actor_id AS "userId", occurred_at AS at FROM events WHERE tenant_id = $1 AND kind IN ('task.approved', 'task.denied')
       ORDER BY id OFFSET $2`,
      [this.tenant.id, this.decided.length],
    );
    for (const { userId, at } of events as Loose[]) {
      this.decided.push({ userId, human: boss, at: new Date(at).toISOString(), name: boss.name, address: boss.address });
    }
    if (boss.holds === undefined) {
      boss.holds = { userId: bossId, person };
    } else {
      boss.restored.push(person);
    }
    return reviewId;
  }

  private async userOf(human: Human): Promise<string> {
    const rows = await this.server.test.admin(
      `SELECT user_id AS id FROM person_records WHERE tenant_id = $1 AND anchor_kind = 'EMPLOYEE_ID' AND anchor = $2 AND user_id IS NOT NULL`,
      [this.tenant.id, human.employeeId],
    );
    return (rows[0] as Loose)?.id ?? '';
  }

  /** Gives some of those who are there a role and a credential. */
  private async give(at: number): Promise<void> {
    const open = this.humans.filter((human) => human.isHere && human.holds === undefined && !human.isTwo);
    const share = Math.max(1, Math.floor(open.length / Math.max(3, this.humans.length / 16)));
    for (const human of open.filter((_, index) => index % share === at % share)) {
      const userId = await this.userOf(human);
      const [user] = await this.server.test.admin('SELECT status FROM users WHERE tenant_id = $1 AND id = $2', [this.tenant.id, userId]);
      if (user?.status === 'ENABLED') {
        await this.ok('PUT', `/api/v1/users/${userId}/roles`, { roleIds: [role] });
        human.holds = { userId, person: await this.tenant.ownClient(userId) };
      }
    }
  }

  /** What has to hold whatever happened. */
  async check(): Promise<void> {
    const test = this.server.test;
    const records = (await test.admin(
      `SELECT k.anchor_kind AS kind, k.anchor, k.user_id AS "userId", k.state, k.verdict, k.reason, k.candidate_ids AS "candidateIds", u.status, u.email
       FROM person_records k LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.user_id WHERE k.tenant_id = $1`,
      [this.tenant.id],
    )) as Loose[];
    const numberOf = (record: Loose): number => Number(record.anchor.slice(record.kind === 'EXTERNAL_ID' ? 2 : 1));
    const humansOf = Map.groupBy(
      records.filter(({ userId }) => userId !== null),
      ({ userId }) => userId as string,
    );
    // Nobody is two.
    const humanOf = new Map([...humansOf].map(([userId, of]) => [userId, new Set(of.map(numberOf))]));
    expect([...humanOf.values()].filter((of) => of.size > 1).map((of) => [...of])).toEqual([]);
    const noOf = (userId: string): number => [...(humanOf.get(userId) ?? [])][0] ?? 0;
    if (this.second !== 'a provider without employee ids') {
      const usersOf = Map.groupBy(
        records.filter(({ userId }) => userId !== null),
        numberOf,
      );
      const several = [...usersOf].filter(([, of]) => new Set(of.map(({ userId }) => userId)).size > 1);
      expect(several.map(([no]) => no).filter((no) => this.humans[no - 1]?.isTwo !== true)).toEqual([]);
    }
    const asked = records.filter(({ verdict, state }) => verdict === 'DISPUTED' && state === 'LIVE');
    const isAskedOf = (userId: string): boolean => asked.some(({ candidateIds }) => candidateIds.includes(userId));
    // Only what the table says is asked: another id, or another name, of somebody who has or had the address; never several people.
    for (const { reason, candidateIds, anchor, kind } of asked) {
      expect([['OTHER_ID', 'OTHER_NAME', 'ADDRESS_OF_ANOTHER'].includes(reason), candidateIds.length > 0]).toEqual([true, true]);
      const human = this.humans[numberOf({ anchor, kind }) - 1] as Human;
      const candidates = (candidateIds as string[]).map((id) => this.humans[noOf(id) - 1]);
      expect(candidates.some((one) => one !== undefined && [...human.had].some((what) => one.had.has(what)))).toBe(true);
    }
    // Nobody who left is there, but where somebody has to say first whose a record is.
    const isLeft = (human: Human | undefined): boolean => human !== undefined && !human.isHere && !human.isTwo;
    const staying = records.filter((one) => one.status === 'ENABLED' && isLeft(this.humans[numberOf(one) - 1]) && !isAskedOf(one.userId));
    expect(staying.map(numberOf)).toEqual([]);
    // Everybody who is there is there, but for whom it is asked.
    if (asked.length === 0) {
      const there = new Set(records.filter(({ status }) => status === 'ENABLED').map(numberOf));
      expect(this.humans.filter(({ isHere, no }) => isHere && !there.has(no)).map(({ no }) => no)).toEqual([]);
    }
    if (this.lags === 0 && asked.length === 0) {
      const isWrong = (one: Loose, human = this.humans[numberOf(one) - 1]): boolean =>
        human?.isTwo !== true && one.email !== human?.address;
      const wrong = records.filter((one) => one.status === 'ENABLED' && isWrong(one));
      expect(wrong.map((one) => [numberOf(one), one.email])).toEqual([]);
    }
    await this.checkAccounts(noOf, asked.length === 0 && this.lags === 0, new Set(records.map(numberOf)));
    await this.checkPushed(noOf);
    await this.checkHolders(noOf, isAskedOf);
    await this.checkDecisions();
  }

  /** No account is anybody else's. */
  private async checkAccounts(noOf: (userId: string) => number, isSettled: boolean, known: ReadonlySet<number>): Promise<void> {
    const accounts = (await this.server.test.admin(
      `SELECT a.app_id AS "appId", a.external_id AS name, a.user_id AS owner FROM accounts a WHERE a.tenant_id = $1 AND a.status <> 'DELETED' AND a.app_id = ANY ($2)`,
      [this.tenant.id, [...this.apps.values()]],
    )) as Loose[];
    const wrong: unknown[] = [];
    for (const { name, owner } of accounts) {
      const human = this.humans[Number(name.slice(2)) - 1] as Human;
      const found = owner === null ? undefined : this.humans[noOf(owner) - 1];
      const mayBe = found === undefined || found === human;
      const kept = name.startsWith('m-') ? human.address : human.userName;
      // What a source could not be followed in yet may be with whoever had it before; an employee id is nobody else's ever.
      const isBehind = !name.startsWith('s-') && found?.had.has(kept) === true && (!isSettled || name.startsWith('l-'));
      const isMissing =
        isSettled &&
        !human.isTwo &&
        found === undefined &&
        !name.startsWith('l-') &&
        (human.isHere || (name.startsWith('s-') && known.has(human.no)));
      if ((!mayBe && !isBehind) || isMissing) {
        wrong.push([name, found?.no ?? null]);
      }
    }
    expect(wrong).toEqual([]);
  }

  /** Each user of the provider stands for its own person, and for an account of its own. */
  private async checkPushed(noOf: (userId: string) => number): Promise<void> {
    const rows = (await this.server.test.admin(
      `SELECT r.id, r.user_id AS "userId", r.account_id AS "accountId", a.user_id AS owner, a.status FROM scim_resources r
       JOIN accounts a ON a.tenant_id = r.tenant_id AND a.id = r.account_id WHERE r.tenant_id = $1 AND r.kind = 'USER' AND r.deleted_at IS NULL`,
      [this.tenant.id],
    )) as Loose[];
    const nos = new Map(this.humans.filter(({ scimId }) => scimId !== '').map(({ scimId, no }) => [scimId, no]));
    const wrong = rows.filter(
      ({ id, userId, owner, status }) => status === 'DELETED' || owner !== userId || (userId !== null && noOf(userId) !== nos.get(id)),
    );
    expect(wrong).toEqual([]);
    expect(new Set(rows.map(({ accountId }) => accountId)).size).toBe(rows.length);
  }

  /** What people did not have before, they do not have now; what they had when they left, they have no more. */
  private async checkHolders(noOf: (userId: string) => number, isAskedOf: (userId: string) => boolean): Promise<void> {
    for (const human of this.humans.filter((one) => !one.isHere && one.holds !== undefined)) {
      const { userId, person } = human.holds as NonNullable<Human['holds']>;
      if (!isAskedOf(userId)) {
        human.suspended.push(...human.restored.splice(0), person);
        human.holds = undefined;
      }
    }
    const roles = (await this.server.test.admin(
      'SELECT DISTINCT user_id AS id FROM user_roles WHERE tenant_id = $1 AND user_id <> ALL ($2) AND role_id <> $3',
      [this.tenant.id, this.adminIds, basic],
    )) as Loose[];
    expect(roles.map(({ id }) => noOf(id)).filter((no) => this.humans[no - 1]?.holds === undefined)).toEqual([]);
    const clients = (await this.server.test.admin(
      `SELECT c.client_id AS "clientId", EXISTS (SELECT FROM suspensions s WHERE s.tenant_id = c.tenant_id AND s.user_id = c.user_id AND s.object_id = c.id)
         OR u.status <> 'ENABLED' AS "isSuspended", c.user_id AS id
       FROM personal_clients c JOIN users u ON u.tenant_id = c.tenant_id AND u.id = c.user_id WHERE c.tenant_id = $1 AND c.deleted_at IS NULL AND c.user_id <> ALL ($2)`,
      [this.tenant.id, this.adminIds],
    )) as Loose[];
    for (const { clientId, isSuspended, id } of clients) {
      const human = this.humans[noOf(id) - 1];
      const theirs = [...(human?.holds === undefined ? [] : [human.holds.person, ...human.restored]), ...(human?.suspended ?? [])];
      const isTheirs = theirs.some((one) => one.credential.clientId === clientId);
      const isOff = human?.suspended.some((one) => one.credential.clientId === clientId) === true;
      expect([clientId, isTheirs, isOff && !isSuspended]).toEqual([clientId, true, false]);
    }
    for (const person of this.humans.flatMap(({ suspended }) => suspended).slice(-3)) {
      expect(await this.tokenStatus(person)).toBe(401);
    }
    for (const person of this.humans.flatMap(({ isHere, restored }) => (isHere ? restored : [])).slice(-2)) {
      expect(await this.tokenStatus(person)).toBe(200);
    }
  }

  /** Those who are there whatever sources say. */
  private get adminIds(): string[] {
    return [this.tenant.admin, this.acts.second].flatMap((one) => (one === undefined ? [] : [one.id]));
  }

  private async tokenStatus({ credential }: TestPerson): Promise<number> {
    const answer = await this.tenant.fetch('/auth/v1/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credential.clientId,
        client_secret: credential.clientSecret,
      }).toString(),
    });
    return answer.status;
  }

  /** Who decided is named as they were. */
  private async checkDecisions(): Promise<void> {
    const refs = this.decided.map(({ userId, at }) => ({ userId, at }));
    if (refs.length === 0) {
      return;
    }
    const { list } = await this.ok('POST', '/api/v1/search/person_words', { refs });
    expect(list.map(({ displayName, email, employeeId }: Loose) => [displayName, email, employeeId])).toEqual(
      this.decided.map(({ name, address, human }) => [name, address, human.employeeId]),
    );
  }
}
