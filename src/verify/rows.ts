/** Rows of a review: grants, items, decisions, comments and outcomes, and how they hang together. Each member is read once. */
import type { Digests } from './digests.ts';
import { HashList } from './hash-list.ts';
import { KeyTable } from './key-table.ts';
import type { Bundle } from './members.ts';
import { checkComments, checkDecisions, checkOutcomes } from './decisions.ts';
import { commitsTo, type People } from './people.ts';
import type { Signatures } from './signatures.ts';
import { eachLine } from './each-line.ts';
import type { VerdictReplay } from './replay.ts';
import type { Fields } from './fields.ts';

/** Numbers that the sums are made of. */
export interface Counted {
  /** Grants by app, and in it by verdict. */
  readonly verdicts: Map<string, Map<string, number>>;
  readonly outcomes: Map<string, number>;
  /** Lines of items, and by them 1 where the access has to be removed. */
  readonly places: KeyTable;
  readonly denied: Uint8Array;
  readonly grants: number;
  readonly items: number;
  readonly decisions: number;
  readonly comments: number;
  readonly entitlements: number;
  readonly accounts: number;
}

const files = {
  grants: 'population/grants.jsonl',
  accounts: 'population/accounts.jsonl',
  accountDetails: 'population/account-details.jsonl',
  entitlements: 'population/entitlements.jsonl',
  items: 'items.jsonl',
} as const;

/** Checks the rows of the review, and counts them. */
export function checkRows(
  bundle: Bundle,
  digests: Digests,
  signatures: Signatures,
  people: People,
  replay: VerdictReplay | undefined,
): Counted {
  checkRecorded(bundle, digests);
  const entitlements = eachLine(bundle, files.entitlements, (entitlement, line, bytes) => {
    digests.add(files.entitlements, bytes, line);
    replay?.entitlement(entitlement);
  });
  const accounts = checkAccounts(bundle, digests, replay);
  replay?.readLists(bundle);
  const { verdicts, items, grants } = checkPopulation(bundle, digests, replay);
  const decided = checkDecisions(bundle, digests, signatures, people, items);
  const comments = checkComments(bundle, decided);
  const ended = checkOutcomes(bundle, items, decided);
  return { verdicts, ...ended, places: items, grants, items: items.size, decisions: decided.count, comments, entitlements, accounts };
}

/** Holds the members that nothing else reads against the events that recorded their rows. */
function checkRecorded(bundle: Bundle, digests: Digests): void {
  const readElsewhere: readonly string[] = ['people.jsonl', files.entitlements, files.accounts];
  for (const member of digests.recordedMembers().filter((one) => !readElsewhere.includes(one))) {
    eachLine(bundle, member, (_, line, bytes) => digests.add(member, bytes, line));
  }
}

/** Checks that each account is called what its commitment was made of. */
function checkAccounts(bundle: Bundle, digests: Digests, replay: VerdictReplay | undefined): number {
  const places = new KeyTable();
  const commitments = new HashList();
  const keyOf = (fields: Fields): string => `${fields.text('app')}\n${fields.text('id')}`;
  const count = eachLine(bundle, files.accounts, (account, line, bytes) => {
    digests.add(files.accounts, bytes, line);
    commitments.set(line, account.text('commitment'));
    places.set(keyOf(account), line);
    replay?.account(account);
  });
  let missing = places.size;
  const shown = eachLine(bundle, files.accountDetails, (details, line) => {
    const place = places.take(keyOf(details));
    missing -= place > 0 ? 1 : 0;
    const isKnown =
      place > 0 &&
      (details.raw['erased'] === true || commitsTo(commitments.at(place), details.text('salt'), details.fields('account').raw));
    if (!isKnown) {
      bundle.findings.add(files.accountDetails, 'It is not the account that was recorded.', { line, from: [files.accounts] });
    } else if (details.raw['erased'] !== true) {
      replay?.accountDetails(details, details.fields('account'));
    }
  });
  // Bundles of before have none at all.
  if (shown > 0 && missing > 0) {
    bundle.findings.add(files.accountDetails, `The details of ${missing} accounts are missing, and nothing says that they were erased.`, {
      from: [files.accounts],
    });
  }
  return count;
}

/** Grants in scope are the largest table; it ends with this function. */
function checkPopulation(bundle: Bundle, digests: Digests, replay: VerdictReplay | undefined) {
  const { verdicts, inScope, grants } = checkGrants(bundle, replay);
  return { verdicts, grants, items: checkItems(bundle, digests, inScope) };
}

function checkGrants(bundle: Bundle, replay: VerdictReplay | undefined) {
  const verdicts: Counted['verdicts'] = new Map();
  const inScope = new KeyTable();
  const grants = eachLine(bundle, files.grants, (grant, line) => {
    const app = grant.text('app');
    const verdict = grant.text('verdict');
    replay?.grant(bundle, grant, line);
    let own = verdicts.get(app);
    if (own === undefined) {
      own = new Map();
      verdicts.set(app, own);
    }
    own.set(verdict, (own.get(verdict) ?? 0) + 1);
    if (verdict === 'IN' && inScope.set(`${app}\n${grant.text('account')}\n${grant.text('entitlement')}`, line) !== 0) {
      bundle.findings.add(files.grants, 'The same grant is in scope twice.', { line });
    }
  });
  return { verdicts, inScope, grants };
}

/** Items are the grants in scope, each once. Returns their lines by their ids. */
function checkItems(bundle: Bundle, digests: Digests, inScope: KeyTable): KeyTable {
  const { findings } = bundle;
  const items = new KeyTable();
  let matched = 0;
  eachLine(bundle, files.items, (item, line, bytes) => {
    digests.addItem(bytes, line, item.text('item'));
    const key = `${item.text('app')}\n${item.text('account')}\n${item.text('entitlement')}`;
    if (inScope.take(key) <= 0) {
      findings.add(files.items, `Item ${item.text('item')} is of no grant that is in scope, or of one that has an item already.`, {
        line,
        from: [files.grants],
      });
    } else {
      matched += 1;
    }
    if (item.text('item') === '' || items.set(item.text('item'), line) !== 0) {
      findings.add(files.items, `Item ${item.text('item')} is there twice.`, { line });
    }
  });
  if (matched < inScope.size) {
    let named = 0;
    for (const line of inScope.values()) {
      if (line > 0 && named < 10) {
        named += 1;
        findings.add(files.grants, 'This grant is in scope, and no item asked for it.', { line, from: [files.items] });
      }
    }
  }
  return items;
}
