/** What several screens read of the inventory in the same way: what a reply carries beside its rows, words of rights, people to choose from. */
import { call, queries, read, type ReplyOf } from './query.ts';

export { count } from './count.ts';

/** An object that a reply carries beside its rows, as protobuf's Any. */
export type Expanded = readonly unknown[];

/** The object that a path such as `$.expanded[3]` stands for. */
export function expandedAt<T>(expanded: Expanded | undefined, path: string | undefined): T | undefined {
  const index = /^\$\.expanded\[(\d+)/.exec(path ?? '')?.[1];
  return index === undefined ? undefined : (expanded?.[Number(index)] as T | undefined);
}

type GrantList = ReplyOf<'GrantService.List'>;
/** A grant with its history. */
export type Grant = NonNullable<NonNullable<GrantList['list']>[number]['grant']>;
export type Entitlement = NonNullable<Grant['entitlement']>;
export type Account = NonNullable<Grant['account']>;
export type Person = NonNullable<Grant['owner']>;
export type Sync = NonNullable<ReplyOf<'ImportService.Get'>['import']>;
export type Source = NonNullable<ReplyOf<'SourceService.Get'>['source']>;
export type App = NonNullable<ReplyOf<'AppService.Get'>['app']>;

/** A right in words: what it allows where somebody wrote it down, else its name; and its name beneath. */
export function wordsOf(right: Entitlement | undefined): { readonly title: string; readonly name: string; readonly isDescribed: boolean } {
  const name = right?.displayName ?? '';
  const title = right?.description ?? '';
  return title === '' ? { title: name, name: '', isDescribed: false } : { title, name, isDescribed: true };
}

/** What a right is called: its resource, then its own name, which many sources begin with that of the resource. */
export function technicalName(right: Entitlement | undefined, resource: string): string {
  const name = right?.displayName ?? '';
  const own = resource !== '' && name.startsWith(`${resource} `) ? name.slice(resource.length + 1) : name;
  return resource === '' || own === resource ? own : `${resource} · ${own}`;
}

/** The name to show for a person. */
export function nameOf(person: Person | undefined): string {
  return person?.displayName || person?.email || person?.id || '';
}

/** The name to show for an account. */
export function accountName(account: Account | undefined): string {
  return account?.displayName || account?.username || account?.email || account?.id || '';
}

/** The levels of risk that the tenant has, by id. */
export const riskLevels = read('RiskLevelService.ListRiskLevels', { pageSize: 100 });

/** Something to choose, as the fields for choosing take it. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
}

/** People whose name or address holds a text. */
export async function findPeople(query: string, signal: AbortSignal): Promise<Choice[]> {
  const { list = [] } = await call('UserService.Search', { query, pageSize: 20 }, { signal });
  return list.map(({ user }) => ({ id: user?.id ?? '', label: nameOf(user), hint: user?.email ?? '' }));
}

/** Apps whose name holds a text. */
export async function findApps(query: string, signal: AbortSignal): Promise<Choice[]> {
  const { list = [] } = await call('AppService.Search', { query, pageSize: 20 }, { signal });
  return list.map((app) => ({ id: app.id ?? '', label: app.displayName ?? '' }));
}

/** One person, from what was read before where possible. */
export function getPerson(id: string) {
  return queries.fetchQuery(read('UserService.Get', { id }));
}
