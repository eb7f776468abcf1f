/** Answers the functions of expressions from the inventory as it is now, many questions at once. */
import type { Context } from '../../context.ts';
import type { DirectoryFunctionName } from '../../lib/cel/environments.ts';
import type { Question } from '../../lib/cel/evaluate.ts';
import { objectValue } from '../../lib/cel/index.ts';
import { type CelObject, Failure, type Result, type Value } from '../../lib/cel/values.ts';
import {
  type AccountFacts,
  listAccountsOfPeople,
  listAccountStatuses,
  listEnrolled,
  listHeld,
  listPeopleBy,
  listPeopleFacts,
  listPeopleOfEntitlements,
  type PersonFacts,
  type PersonFound,
} from './store-answers.ts';

/** Lists longer than this have no answer. */
const maxListLength = 10_000;

const texts = (...values: readonly string[]): string[] => [...new Set(values.filter((value) => value !== ''))];

/** A person as a value. */
export function personValue(facts: PersonFacts): CelObject {
  return objectValue('User', {
    ...facts,
    emails: texts(facts.email),
    usernames: texts(facts.username),
    employeeIds: texts(facts.employeeId),
    directoryStatus: facts.status,
    manager: facts.managerEmail,
  });
}

/** An account as a value. */
export function accountValue(facts: AccountFacts): CelObject {
  return objectValue('AppUser', {
    ...facts,
    emails: texts(facts.email),
    usernames: texts(facts.username, facts.externalId),
    employeeIds: texts(facts.employeeId),
    appUserType: facts.accountType,
    status: { status: facts.status },
    identityUserId: facts.userId ?? '',
  });
}

type Answers = (context: Context, rows: readonly (readonly string[])[]) => Promise<Result[]>;

/** Answers that are true for the questions that a store lists. */
const truth =
  (list: (context: Context, rows: readonly (readonly string[])[]) => Promise<number[]>): Answers =>
  async (context, rows) => {
    const found = new Set(await list(context, rows));
    return rows.map((_, at) => found.has(at + 1));
  };

/** Answers that are people: all that were found, or the one. */
function people(
  find: (context: Context, rows: readonly (readonly string[])[]) => Promise<PersonFound[]>,
  shown: (found: readonly Value[]) => Result,
): Answers {
  return async (context, rows) => {
    const found = await find(context, rows);
    const facts = await listPeopleFacts(context, [...new Set(found.map(({ id }) => id))]);
    const values = new Map(facts.map((one) => [one.id, personValue(one)]));
    const byQuestion = Map.groupBy(found, ({ n }) => n);
    return rows.map((_, at) => shown((byQuestion.get(at + 1) ?? []).flatMap(({ id }) => values.get(id) ?? [])));
  };
}

const all = (found: readonly Value[]): Result =>
  found.length > maxListLength ? new Failure(`a list becomes longer than ${maxListLength} items`) : found;

const one =
  (what: string) =>
  (found: readonly Value[]): Result =>
    found.length === 1 ? found[0]! : new Failure(found.length === 0 ? `nobody has this ${what}` : `several people have this ${what}`);

const by = (which: 'email' | 'id' | 'name' | 'report' | 'manager') => (context: Context, rows: readonly (readonly string[])[]) =>
  listPeopleBy(
    context,
    which,
    rows.map(([value = '']) => value),
  );

const managers = people(by('report'), all);

async function accountStatus(context: Context, rows: readonly (readonly string[])[]): Promise<Result[]> {
  const found = new Map((await listAccountStatuses(context, rows)).map(({ n, statuses }) => [n, statuses]));
  return rows.map((_, at) => {
    const statuses = found.get(at + 1) ?? [];
    return `USER_STATUS_${['ENABLED', 'DISABLED', 'DELETED'].find((status) => statuses.includes(status)) ?? 'UNSPECIFIED'}`;
  });
}

async function accountsOf(context: Context, rows: readonly (readonly string[])[]): Promise<Result[]> {
  const found = Map.groupBy(await listAccountsOfPeople(context, rows), ({ n }) => n);
  return rows.map((_, at) => (found.get(at + 1) ?? []).map(accountValue));
}

const answers: Readonly<Record<DirectoryFunctionName, Answers>> = {
  'c1.user.v1.HasApp': async (context, rows) => {
    const living = await listAccountsOfPeople(context, rows);
    const found = new Set(living.map(({ n }) => n));
    return rows.map((_, at) => found.has(at + 1));
  },
  'c1.user.v1.HasEntitlement': truth(listHeld),
  'c1.user.v1.GetAppUserStatus': accountStatus,
  'c1.user.v1.GrantedFromEnrollment': truth(listEnrolled),
  'c1.user.v1.AutomaticallyGrantedFromEnrollment': (_context, rows) => Promise.resolve(rows.map(() => false)),
  'c1.user.v1.ListAppUsersForUser': accountsOf,
  'c1.user.v1.GetAppUserManagers': managers,
  'c1.directory.users.v1.FindByEmail': people(by('email'), one('address')),
  'c1.directory.users.v1.GetByID': people(by('id'), one('id')),
  'c1.directory.users.v1.FindByName': people(by('name'), one('name')),
  'c1.directory.users.v1.GetManagers': managers,
  'c1.directory.users.v1.DirectReports': people(by('manager'), all),
  'c1.directory.apps.v1.GetEntitlementMembers': people((context, rows) => listPeopleOfEntitlements(context, 'members', rows), all),
  'c1.directory.apps.v1.GetEntitlementOwners': people((context, rows) => listPeopleOfEntitlements(context, 'owners', rows), all),
};

/** Answers questions in their order. One statement, or two, for each function; a list of people is one question for each of them. */
export async function answerQuestions(context: Context, questions: readonly Question[]): Promise<Result[]> {
  const results: Result[] = [];
  const byName = Map.groupBy(
    questions.map((question, place) => ({ question, place })),
    ({ question }) => question.name,
  );
  for (const [name, asked] of byName) {
    const rows = asked.flatMap(({ question: { args }, place }) =>
      Array.isArray(args[0]) ? args[0].map((arg: string) => ({ place, row: [arg] })) : [{ place, row: args as readonly string[] }],
    );
    const found = await answers[name](
      context,
      rows.map(({ row }) => row),
    );
    for (const { question, place } of asked) {
      results[place] = Array.isArray(question.args[0]) ? [] : new Failure('there is no answer');
    }
    for (const [at, { place }] of rows.entries()) {
      const before = results[place]!;
      const answer = found[at]!;
      results[place] =
        Array.isArray(before) && Array.isArray(answer)
          ? all(distinct([...before, ...answer]))
          : before instanceof Failure && Array.isArray(questions[place]!.args[0])
            ? before
            : answer;
    }
  }
  return results;
}

/** People once each, however many ways led to them. */
function distinct(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [(value as CelObject).id, value])).values()];
}
