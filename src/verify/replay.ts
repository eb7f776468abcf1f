/**
 * Verdicts worked out anew: what the rules give for each grant, from the scope of the review and from what its snapshot says of accounts, people and
 * entitlements, beside what the bundle says. Fed while members are read for other reasons, and kept in a few bytes for each account and person.
 */
import { hash } from 'node:crypto';
import { replayScope, type Replay as Rules } from '../lib/completeness/replay-scope.ts';
import type { JudgedAccount, JudgedEntitlement, ReplayedScope } from '../lib/completeness/replayed-types.ts';
import { eachText } from './each-line.ts';
import { Fields, readFields } from './fields.ts';
import { KeyTable } from './key-table.ts';
import type { Bundle } from './members.ts';

const grantsFile = 'population/grants.jsonl';
const [reviewFile, eventsFile] = ['review.json', 'log/events.jsonl'] as const;
const [conflictsFile, reviewedFile] = ['population/conflicts.jsonl', 'population/reviewed.jsonl'] as const;
const from = [
  reviewFile,
  'people-details.jsonl',
  'population/accounts.jsonl',
  'population/account-details.jsonl',
  'population/entitlements.jsonl',
];

/** Values of which there are few among very many rows: each is kept once. */
class Kinds<Value> {
  readonly #numbers = new Map<string, number>();
  readonly values: Value[] = [];

  /** Number of a value, by the text that tells it from others. */
  numberOf(text: string, make: () => Value): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.values.push(make());
      this.#numbers.set(text, number);
    }
    return number;
  }

  at(number: number): Value | undefined {
    return this.values[number - 1];
  }
}

/** Numbers of people as they are judged: 1 and up by the filters that they pass, `unknown` where their details were erased. */
const [passesUsers, passesIncluded, isKnown] = [1, 2, 4] as const;

/** Kinds of addresses of an account, each with one of it: erased, none, and one with a domain. */
const addresses = [undefined, '', 'account@domain'] as const;

/** Verdicts of one bundle. */
export class VerdictReplay {
  readonly #rules: Rules;
  readonly #hasHolders: boolean;
  readonly #people = new KeyTable();
  readonly #accounts = new KeyTable();
  readonly #entitlements = new Map<string, number>();
  /** Grants of one account stand together, mostly. */
  #last = { key: '', number: 0 };
  readonly #conflicts = new KeyTable();
  readonly #reviewed = new KeyTable();
  readonly #accountKinds = new Kinds<readonly JudgedAccount[]>();
  readonly #entitlementKinds = new Kinds<JudgedEntitlement & { readonly isCarrier: boolean }>();
  /** True if the log has the hash of the scope. */
  readonly isLogged: boolean;
  /** Verdicts that were worked out anew and are the same, that were taken as recorded, and that rest on what was erased. */
  readonly counts = { same: 0, taken: 0, erased: 0 };

  constructor(scope: ReplayedScope, isLogged: boolean) {
    this.isLogged = isLogged;
    this.#rules = replayScope(scope);
    this.#hasHolders = new Fields(scope.scopeV2).fields('userCriteria').list('groupAppEntitlementsRef').length > 0;
  }

  /** Takes the details of a person who was reviewed. */
  person(id: string, person: Fields): void {
    const profile = person.fields('profile').raw;
    const judged = this.#rules.judgePerson({
      id,
      status: person.text('status'),
      managerId: person.text('managerId'),
      managerEmail: person.text('managerEmail'),
      email: person.text('email'),
      displayName: person.text('displayName'),
      username: person.text('username'),
      department: person.text('department'),
      jobTitle: person.text('jobTitle'),
      employmentStatus: person.text('employmentStatus'),
      employmentType: person.text('employmentType'),
      profile: readFields(person.text('profile'))?.raw ?? profile,
    });
    this.#people.set(id, isKnown | (judged.passesUsers ? passesUsers : 0) | (judged.passesIncluded ? passesIncluded : 0));
  }

  /** Takes an account, after the people. */
  account(account: Fields): void {
    const owner = account.text('owner');
    const known = owner === '' ? 0 : this.#people.get(owner);
    const verdict = account.text('verdict');
    const [app, id] = [account.text('app'), account.text('id')];
    const judge = (email: string | undefined): JudgedAccount =>
      this.#rules.judgeAccount({
        app,
        id,
        type: account.text('type'),
        status: account.text('status'),
        ownerId: owner === '' ? null : owner,
        owner: known === 0 ? undefined : { passesUsers: (known & passesUsers) !== 0, passesIncluded: (known & passesIncluded) !== 0 },
        email,
        external: account.raw['external'] === true,
        accessProfiles: account.texts('accessProfiles'),
        // Outcomes of expressions are taken as recorded, and so is who held what leaves out.
        accountExpression: verdict === 'ACCOUNT_EXPRESSION' ? false : undefined,
        personExpression: verdict === 'USER_EXPRESSION' ? false : undefined,
        holdsExcluded: this.#hasHolders && verdict === 'USER_FILTER',
      });
    const judged = addresses.map(judge);
    const text = JSON.stringify(judged, (_, value: unknown) => (value === undefined ? null : value));
    this.#accounts.set(keyOf(app, id), addresses.length * this.#accountKinds.numberOf(text, () => judged));
  }

  /** Takes what an account is called, after it. */
  accountDetails(key: Fields, details: Fields): void {
    const place = keyOf(key.text('app'), key.text('id'));
    const number = this.#accounts.get(place);
    if (number > 0) {
      const [, domain = ''] = /@([^@]*)$/.exec(details.text('email')) ?? [];
      this.#accounts.set(place, number - (number % addresses.length) + (domain === '' ? 1 : 2));
    }
  }

  entitlement(entitlement: Fields): void {
    const [app, id, resourceId, resourceTypeId] = ['app', 'id', 'resourceId', 'resourceTypeId'].map((name) => entitlement.text(name)) as [
      string,
      string,
      string,
      string,
    ];
    const isCarrier = entitlement.raw['carrier'] === true;
    const judged = this.#rules.judgeEntitlement({
      app,
      id,
      chosen: entitlement.raw['chosen'] === true,
      resourceId,
      resourceTypeId,
      givenByIncluded: entitlement.texts('givenByIncluded'),
      givenByExcluded: entitlement.texts('givenByExcluded'),
    });
    const number = this.#entitlementKinds.numberOf(JSON.stringify([judged, isCarrier]), () => ({ ...judged, isCarrier }));
    this.#entitlements.set(keyOf(app, id), number);
  }

  /** Takes what made conflicts and what was reviewed before, as they were recorded. */
  readLists(bundle: Bundle): void {
    eachText(bundle, conflictsFile, (text) => {
      const one = readFields(text.toString());
      this.#conflicts.set(keyOf(one?.text('app') ?? '', keyOf(one?.text('account') ?? '', one?.text('entitlement') ?? '')), 1);
    });
    eachText(bundle, reviewedFile, (text) => {
      const one = readFields(text.toString());
      this.#reviewed.set(keyOf(one?.text('account') ?? '', one?.text('entitlement') ?? ''), 1);
    });
  }

  /** Compares the verdict on a grant, after all else, and says where it is another. */
  grant({ findings }: Bundle, grant: Fields, line: number): void {
    const [app, account] = [grant.text('app'), grant.text('account')];
    const [entitlement, verdict] = [grant.text('entitlement'), grant.text('verdict')];
    const number = this.#numberOf(keyOf(app, account));
    const judged = this.#accountKinds.at(Math.floor(number / addresses.length))?.[number % addresses.length];
    const asked = this.#entitlementKinds.at(this.#entitlements.get(keyOf(app, entitlement)) ?? 0);
    if (grant.text('kind') === 'R' || (asked?.isCarrier === true && verdict === 'ENTITLEMENT_NOT_CHOSEN')) {
      this.counts.taken += 1;
      return;
    }
    if (judged === undefined || asked === undefined) {
      findings.add(grantsFile, `It is of ${judged === undefined ? 'an account' : 'an entitlement'} that the population does not have.`, {
        line,
        from,
      });
      return;
    }
    const found = this.#rules.judgeGrant(judged, asked, {
      account,
      entitlement,
      ...(this.#rules.asksTimes ? timesOf(grant) : noTimes),
      held: grant.text('held'),
      reviewed: this.#reviewed.size > 0 && this.#reviewed.get(keyOf(account, entitlement)) !== 0,
      inConflict: this.#conflicts.size > 0 && this.#conflicts.get(keyOf(app, keyOf(account, entitlement))) !== 0,
    });
    if (found === undefined) {
      this.counts.erased += 1;
    } else if (found === verdict) {
      this.counts.same += 1;
    } else {
      findings.add(grantsFile, `Its verdict is ${verdict || 'none'}, and the rules of the review give ${found}.`, { line, from });
    }
  }

  #numberOf(key: string): number {
    if (key !== this.#last.key) {
      this.#last = { key, number: this.#accounts.get(key) };
    }
    return this.#last.number;
  }
}

/** Reads the rules to work verdicts out by, and holds them to the hash that the log has of them; undefined where the bundle does not say them all. */
export function readReplay(bundle: Bundle, scopeHash: string): VerdictReplay | undefined {
  const review = readFields(bundle.content(reviewFile)?.toString() ?? '') ?? new Fields({});
  const text = review.text('scopeText');
  const isLogged = text !== '' && scopeHash !== '';
  if (isLogged && hash('sha256', text, 'hex') !== scopeHash) {
    bundle.findings.add(reviewFile, 'Its scope is not the one that was logged when the review was prepared.', { from: [eventsFile] });
  }
  const said = text === '' ? undefined : readFields(text);
  const takenAt = Date.parse((said ?? review).text('takenAt'));
  if (Number.isNaN(takenAt)) {
    return undefined;
  }
  const { scope, inclusionScope, exclusionScope, scopeV2 } = (said?.fields('members') ?? review.fields('scope')).raw as Record<
    string,
    never
  >;
  const entries =
    said
      ?.fields('lists')
      .texts('entries')
      .map((entry) => readFields(entry) ?? new Fields({})) ?? review.list('lists');
  const rules = {
    scope,
    inclusionScope,
    exclusionScope,
    scopeV2,
    ofConflicts: said === undefined ? review.raw['ofConflicts'] === true : said.text('scopeType') === 'BY_ACCESS_CONFLICTS',
    lists: entries.map((entry) => ({
      list: entry.text('list'),
      kind: entry.text('kind'),
      appId: entry.text('appId'),
      objectId: entry.text('objectId'),
      entitlementId: entry.text('entitlementId'),
      accountId: entry.text('accountId'),
    })),
    takenAt: new Date(takenAt),
  };
  return new VerdictReplay(rules, isLogged);
}

const keyOf = (first: string, second: string): string => `${first}\n${second}`;

const noTimes = { grantedAt: null, firstSeenAt: 0, lastUsedAt: null, endsAt: null } as const;

function timesOf(grant: Fields) {
  const time = (name: string): number | null => (grant.text(name) === '' ? null : Date.parse(grant.text(name)));
  return {
    grantedAt: time('grantedAt'),
    firstSeenAt: time('firstSeenAt') ?? Number.NaN,
    lastUsedAt: time('lastUsedAt'),
    endsAt: time('endsAt'),
  };
}
