/**
 * A plain model of one app: what imports of several sources, manual changes, people who come, ends of time and deleted sources mean to its
 * accounts and grants. Tests compare the product with it; nothing here knows a database.
 */

/** A row of a file, without what its account says. Times and paths are '' where there is nothing. */
export interface StoryRow {
  readonly account: string;
  readonly entitlement: string;
  readonly granted: string;
  readonly used: string;
  readonly ends: string;
  readonly via: string;
}

/** A file of grants. */
export interface StoryFile {
  /** Statements on its accounts. */
  readonly says: Readonly<Record<string, { readonly hasOwner: boolean; readonly status: string }>>;
  readonly rows: readonly StoryRow[];
  /** True if it has these columns at all. */
  readonly hasEnds: boolean;
  readonly hasVia: boolean;
}

/** Values of a grant. */
export interface Told {
  readonly granted: string;
  readonly used: string;
  readonly ends: string;
  /** Its paths in order, 'direct' among them; '' for directly and in no other way. */
  readonly paths: string;
}

/** One grant from the revision that brought it to the one that ended it. */
export interface Life {
  readonly account: string;
  readonly entitlement: string;
  readonly source: number;
  readonly from: number;
  to: number | null;
  told: Told;
}

/** Values of an account. */
export interface Account {
  readonly source: number;
  readonly email: string;
  readonly owner: string;
  readonly status: string;
  readonly isThere: boolean;
}

/** Counts of an import. */
export interface StoryCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
}

/** App access among the entitlements, and the one that is granted manually. */
export const access = 'ACCESS';
/** Right people give and take manually. */
export const byHand = 'manual';
const nothing: Told = { granted: '', used: '', ends: '', paths: '' };
const isSame = (one: Told, other: Told): boolean =>
  one.granted === other.granted && one.used === other.used && one.ends === other.ends && one.paths === other.paths;
const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one === '' || (other !== '' && other < one) ? other : one);

/** Reads each grant of a file, by `account entitlement`; reported twice, it is one grant. */
export function readStory(file: StoryFile): Map<string, { readonly row: StoryRow; readonly told: Told }> {
  const groups = Map.groupBy(file.rows, ({ account, entitlement }) => `${account} ${entitlement}`);
  return new Map(
    [...groups].map(([key, rows]) => {
      const vias = file.hasVia ? [...new Set(rows.map(({ via }) => via || 'direct'))].sort() : ['direct'];
      const told = {
        granted: rows.map(({ granted }) => granted).reduce(earlier),
        used: rows.map(({ used }) => used).reduce(later),
        ends: rows.some(({ ends }) => ends === '') ? '' : rows.map(({ ends }) => ends).reduce(later),
        paths: vias.join() === 'direct' ? '' : vias.join(' | '),
      };
      return [key, { row: rows[0] as StoryRow, told }];
    }),
  );
}

/** One app, by the rules and nothing else. */
export class StoryModel {
  revision = 0;
  readonly lives: Life[] = [];
  /** By name, deleted ones too. */
  readonly accounts = new Map<string, Account>();
  /** Addresses of people. */
  readonly people = new Set<string>();
  /** Entitlements that some file has named. */
  readonly catalog = new Set<string>();
  #lastSource = 0;

  /** The number of a source that is made now. */
  addSource(): number {
    this.#lastSource += 1;
    return this.#lastSource;
  }

  /** The open grants, app access left out. */
  held(account: string, isOf: (source: number) => boolean = () => true): Life[] {
    return this.lives.filter((life) => life.to === null && life.account === account && life.entitlement !== access && isOf(life.source));
  }

  find(account: string, entitlement: string): Life | undefined {
    return this.lives.find((life) => life.to === null && life.account === account && life.entitlement === entitlement);
  }

  /** The accounts that are there. */
  live(): [string, Account][] {
    return [...this.accounts].filter(([, account]) => account.isThere);
  }

  /** The open grants of a source, or of all (undefined), with what their accounts say, as texts by their name. */
  say(source?: number): Map<string, string> {
    const lives = [...this.accounts.keys()].flatMap((name) => this.held(name, (one) => source === undefined || one === source));
    return new Map(lives.map((life) => [`${life.account} ${life.entitlement}`, describe(life.told, this.accounts.get(life.account))]));
  }

  /** True if every path of the file leads through what the app or the file has. */
  accepts(file: StoryFile): boolean {
    const known = new Set([...this.catalog, ...file.rows.map(({ entitlement }) => entitlement)]);
    return !file.hasVia || file.rows.every(({ via }) => via === '' || via.split('>').every((step) => known.has(step)));
  }

  import(source: number, file: StoryFile): StoryCounts {
    const change = this.#begin();
    const wanted = readStory(file);
    for (const { entitlement } of file.rows) {
      this.catalog.add(entitlement);
    }
    const named = new Set(file.rows.map(({ account }) => account));
    const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 };
    // Before anything changes: app access lasts as long as what others give does.
    const accesses = new Map([...named].map((account) => [account, this.#accessOf(account, source, wanted)]));
    for (const account of this.accounts.keys()) {
      for (const life of this.held(account, (one) => one === source).filter((one) => !wanted.has(`${account} ${one.entitlement}`))) {
        change.end(life);
        counts.removed++;
      }
      if (!named.has(account)) {
        this.#leave(account, source, change);
      }
    }
    const changedAccounts = new Set<string>();
    for (const account of named) {
      if (this.#tell(account, source, file, change)) {
        changedAccounts.add(account);
      }
      const life = this.find(account, access);
      change.put(life, { account, entitlement: access, source }, { ...(accesses.get(account) as Told), ends: life?.told.ends ?? '' });
    }
    for (const { row, told } of wanted.values()) {
      const { account, entitlement } = row;
      const life = this.find(account, entitlement);
      const isOurs = life === undefined || life.source === source;
      const ends = file.hasEnds ? told.ends : (life?.told.ends ?? '');
      const done = isOurs ? change.put(life, { account, entitlement, source }, { ...told, ends }) : 'unchanged';
      counts[done === 'unchanged' && isOurs && changedAccounts.has(account) ? 'changed' : done]++;
    }
    return counts;
  }

  #accessOf(account: string, source: number, wanted: ReturnType<typeof readStory>): Told {
    const others = this.held(account, (one) => one !== source).map(({ told }) => told);
    const own = [...wanted.values()].flatMap(({ row, told }) => (row.account === account ? [told] : []));
    return [...own, ...others].reduce(
      (sum, told) => ({ ...nothing, granted: earlier(sum.granted, told.granted), used: later(sum.used, told.used) }),
      nothing,
    );
  }

  /** An account that a source reports no more goes to whoever else gives it something, or ends. */
  #leave(name: string, source: number, change: Change): void {
    const account = this.accounts.get(name);
    if (account?.isThere !== true || account.source !== source) {
      return;
    }
    const [heir] = this.held(name, (one) => one !== source).sort((one, two) => one.source - two.source);
    if (heir === undefined) {
      this.accounts.set(name, { ...account, isThere: false });
      change.end(this.find(name, access));
    } else {
      this.accounts.set(name, { ...account, source: heir.source });
    }
  }

  /** Lets an account say what a file says of it; whether a known one says something else then. */
  #tell(name: string, source: number, file: StoryFile, change: Change): boolean {
    const before = this.accounts.get(name);
    if (before?.isThere === true && before.source !== 0 && before.source !== source) {
      return false;
    }
    const { hasOwner, status } = file.says[name] ?? { hasOwner: false, status: 'ENABLED' };
    const email = hasOwner ? name : '';
    const after = { source, email, owner: this.people.has(email) ? email : '', status, isThere: true };
    this.accounts.set(name, after);
    const isOther = before?.isThere !== true || before.email !== email || before.owner !== after.owner || before.status !== after.status;
    if (isOther) {
      change.touch();
    }
    return isOther && before?.isThere === true;
  }

  /** Gives what is granted manually, until a time or for good; to an account that is made where there is none. False where it is held. */
  give(name: string, now: string, ends: string): boolean {
    if (this.find(name, byHand) !== undefined) {
      return false;
    }
    const change = this.#begin();
    const account = this.accounts.get(name);
    if (account?.isThere !== true) {
      this.accounts.set(name, { source: 0, email: account?.email ?? name, owner: name, status: 'ENABLED', isThere: true });
      change.put(undefined, { account: name, entitlement: access, source: 0 }, { ...nothing, granted: now });
    }
    change.put(undefined, { account: name, entitlement: byHand, source: 0 }, { ...nothing, granted: now, ends });
    return true;
  }

  /** Ends what was granted manually. */
  take(name: string): boolean {
    const life = this.find(name, byHand);
    this.#begin().end(life);
    return life !== undefined;
  }

  /** Ends an account that nobody but people keep, with all it holds. */
  drop(name: string): boolean {
    const account = this.accounts.get(name);
    if (account?.isThere !== true || account.source !== 0) {
      return false;
    }
    const change = this.#begin();
    for (const life of [...this.held(name), this.find(name, access)]) {
      change.end(life);
    }
    this.accounts.set(name, { ...account, isThere: false });
    change.touch();
    return true;
  }

  /** Sets until when an open grant is held. */
  limit(name: string, entitlement: string, ends: string): boolean {
    const life = this.find(name, entitlement);
    if (life === undefined || life.told.ends === ends) {
      return false;
    }
    this.#begin().put(life, life, { ...life.told, ends });
    return true;
  }

  /** Ends what was granted manually until now. */
  expire(now: string): void {
    const change = this.#begin();
    for (const name of this.accounts.keys()) {
      for (const life of this.held(name, (source) => source === 0)) {
        if (life.told.ends !== '' && life.told.ends <= now) {
          change.end(life);
        }
      }
    }
  }

  /** People come; accounts of sources whose address is theirs become theirs. */
  addPeople(addresses: readonly string[]): void {
    const change = this.#begin();
    for (const address of addresses) {
      this.people.add(address);
    }
    for (const [name, account] of this.live()) {
      const owner = this.people.has(account.email) ? account.email : '';
      if (account.source !== 0 && account.owner !== owner) {
        this.accounts.set(name, { ...account, owner });
        change.touch();
      }
    }
  }

  /** A source goes, with what it gave and the accounts that nobody else gives anything. */
  deleteSource(source: number): void {
    const change = this.#begin();
    for (const [name, account] of this.live()) {
      for (const life of this.held(name, (one) => one === source)) {
        change.end(life);
      }
      if (account.source === source) {
        change.touch();
        this.#leave(name, source, change);
      }
    }
  }

  /** One change: the revision is taken when something changes first. */
  #begin(): Change {
    const revision = this.revision + 1;
    const touch = (): void => {
      this.revision = revision;
    };
    return {
      touch,
      end: (life) => {
        if (life !== undefined) {
          life.to = revision;
          touch();
        }
      },
      put: (life, key, told) => {
        if (life !== undefined && isSame(life.told, told)) {
          return 'unchanged';
        }
        touch();
        if (life === undefined) {
          this.lives.push({ ...key, from: revision, to: null, told });
          return 'added';
        }
        life.told = told;
        return 'changed';
      },
    };
  }
}

interface Change {
  touch(): void;
  end(life: Life | undefined): void;
  put(life: Life | undefined, key: Pick<Life, 'account' | 'entitlement' | 'source'>, told: Told): 'added' | 'changed' | 'unchanged';
}

/** A grant and its account as one text. */
export function describe(told: Told, account: Pick<Account, 'email' | 'owner' | 'status'> | undefined): string {
  return JSON.stringify([told.granted, told.used, told.ends, told.paths, account?.email, account?.owner, account?.status]);
}
