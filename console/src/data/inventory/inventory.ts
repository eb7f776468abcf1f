/** Parts of the inventory that several screens read alike: what a reply carries beside its rows, words of rights, people to choose from. */
import { read, type ReplyOf } from '~/data/query.ts';

export { count } from '~/data/count.ts';

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
export function rightWords(right: Entitlement | undefined): {
  readonly title: string;
  readonly name: string;
  readonly isDescribed: boolean;
} {
  const name = right?.displayName ?? '';
  const title = right?.description ?? '';
  return title === '' ? { title: name, name: '', isDescribed: false } : { title, name, isDescribed: true };
}

/** Names a right: its resource, then its own name, which many sources begin with that of the resource. The app, which stands beside, is not said. */
export function technicalName(right: Entitlement | undefined, resource: string, app = ''): string {
  const name = right?.displayName ?? '';
  const own = resource !== '' && name.startsWith(`${resource} `) ? name.slice(resource.length + 1) : name;
  return resource === '' || own === resource || resource === app ? own : `${resource} · ${own}`;
}

/** The name to show for a person. */
export function personName(person: Person | undefined): string {
  return person?.displayName || person?.email || person?.id || '';
}

/** The name to show for an account. */
export function accountName(account: Account | undefined): string {
  return account?.displayName || account?.username || account?.email || account?.id || '';
}

/** The levels of risk that the tenant has, by id. */
export const riskLevels = read('RiskLevelService.ListRiskLevels', { pageSize: 100 });
