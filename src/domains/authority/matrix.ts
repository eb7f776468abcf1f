/**
 * The page docs/authority.md: every operation of the contract by everybody there is. `npm run generate` writes it, and a test says when it is
 * stale. What is written is what `expectedAnswer` says.
 */
import type { Actor, ActorKind, RoleName } from '../../context.ts';
import { describeDoors } from './doors.ts';
import { type Authority, type Expected, expectedAnswer, type Standing } from './objects.ts';
import { holds } from './permissions.ts';
import { describeSights, type SightKind, seesAccountWhole, seesAppWhole, seesPersonWhole, seesPoliciesWhole } from './sight.ts';

/** An operation as the page lists it. */
export interface ListedOperation extends Authority {
  /** Service and method: AccessReviewService.get. */
  readonly name: string;
  /** Its use in one sentence, from the contract. */
  readonly title: string;
  /** Verb and path. */
  readonly request: string;
}

/** Somebody who has a column on the page. */
interface Column {
  readonly title: string;
  readonly actor: Actor;
  readonly standing: Standing;
  /** True if the sign-in of their session is older than ten minutes. */
  readonly isStale?: boolean;
}

/** An actor of a kind with these roles, as far as authority asks. */
export function actorOfKind(kind: ActorKind, roles: readonly RoleName[], issuedMayAnswer?: boolean): Actor {
  const known = { userId: 'somebody', credentialId: '', issuerId: '', sourceIp: '', requestId: '' };
  return { ...known, kind, roles: new Set(roles), ...(issuedMayAnswer === undefined ? {} : { issuedMayAnswer }) };
}

const person = (title: string, standing: Standing, ...roles: RoleName[]): Column => ({
  title,
  actor: actorOfKind('session', ['BASIC_USER', ...roles]),
  standing,
});

const columns: readonly Column[] = [
  person('Super Administrator', 'SUPER', 'SUPER_ADMINISTRATOR'),
  person('Campaign Administrator', 'CAMPAIGN', 'CAMPAIGN_ADMINISTRATOR'),
  person('Read-Only Administrator', 'READER', 'READ_ONLY_ADMINISTRATOR'),
  person('Owner', 'OWNER'),
  person('Reviewer', 'REVIEWER'),
  person('Subject', 'SUBJECT'),
  person('App owner', 'APP_OWNER'),
  person('Source owner', 'SOURCE_OWNER'),
  person('Basic User', 'OTHER'),
  { ...person('Older session', 'SUPER', 'SUPER_ADMINISTRATOR'), isStale: true },
  { title: 'Reading credential', actor: actorOfKind('credential', ['READ_ONLY_ADMINISTRATOR']), standing: 'READER' },
  { title: 'Log credential', actor: actorOfKind('credential', ['READ_ONLY_SYSTEM_LOGS']), standing: 'OTHER' },
  { title: 'Issued, reviewer', actor: actorOfKind('issued_session', ['BASIC_USER'], false), standing: 'REVIEWER' },
  { title: 'Service principal', actor: actorOfKind('service_principal', ['BASIC_USER', 'SUPER_ADMINISTRATOR']), standing: 'SUPER' },
  { title: 'SCIM token', actor: actorOfKind('source', []), standing: 'OTHER' },
  { title: 'Nobody', actor: actorOfKind('anonymous', []), standing: 'OTHER' },
];

const signs: Readonly<Record<Expected, string>> = { yes: 'yes', no: '403', hidden: '404', unknown: '401' };

const ruleIntroduction = `Each operation names three things in \`proto/\`: its permission, what kind of act it is, and whose objects it reaches.

- **Permission**: one of the caller's roles must hold it (\`src/domains/authority/permissions.ts\`). A credential that is narrowed to some roles holds
  what those roles hold, whatever its owner is: an owner's or a reviewer's credential that is narrowed to reading changes nothing.
- **Act**: \`READ\` reads. \`CHANGE\` changes something. \`ANSWER\` decides, attests, confirms, acknowledges or answers, or undoes that. People alone answer:
  never a service principal, nor what one issued.
- **Objects**: what the caller must be to the thing that is asked about.

| Answer | Meaning |
|---|---|
| yes | may, where the state of the thing allows it |
| 403 | is refused by name |
| 404 | does not learn that it is there |
| 401 | has to say who it is first |

*Owner* owns the review, *Reviewer* has tasks in it or is asked in its second review, *Subject* is the person whose access it asks about, *App owner* owns
the app, and *Source owner* the source; all five are Basic Users. The Campaign Administrator made other reviews. *Older session* is a Super
Administrator who signed in more than ten minutes ago, in a tenant with a way to sign in again: what changes what signs in answers 403 with \`SIGN_IN_AGAIN\`. *Reading credential* and *Log credential* are narrowed to Read-Only
Administrator and to the system log. The service principal holds every role. Otherwise, a fresh session and a credential of one's own are the same here.`;

const introduction = `# Who may do what

This page is made from the contract by \`npm run generate\`. A test asks every operation as everybody in the rules, over HTTP, and compares.

*Who may* names people by role, or by what they are to the thing that is asked about. Whoever is not named hears 403, or 404 where they do not learn that
it is there; [the rules](#rules) say which. *No programs*: neither a service principal does it, nor what one issued. *Fresh sign-in*: a session has to be
younger than ten minutes and one's own. *Everybody signed in* reaches what concerns themselves.

Whoever acts through something they made or issued is compared as themselves, too. An administrator decides nothing about their own access through a
link that they printed for somebody else, confirms no removal that they claimed, answers no blind second review whose first decisions they read, and
acknowledges no review in which they decided. Events, histories and reports name the issuer beside the person.

What an administrator issues (a sign-in link, a credential) answers as the setting \`issuedAnswers\` of the tenant says: \`ALWAYS\`, \`NEVER\`, or
\`WITHOUT_OTHER_SIGN_IN\`, which is the default: only while the tenant has no identity provider and the installation sends no mail. It answers nothing
once whoever issued it is no Super Administrator any more. The column *Issued, reviewer* of the rules shows a reviewer whom the setting refuses.

What is issued gives at most the roles Basic User, Read-Only Administrator and the system log: a link that is printed for an administrator administers
nothing.

A Campaign Administrator reads the reviews that they made: scope, progress and mails. Without owning them they change nothing there, and read neither
reports nor evidence. An owner of an entitlement reads it, its app and who holds it.

## Asked first

`;

function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Operations with the same facts have the same answers. */
function ruleKey({ permission, act, object, needsFreshSignIn }: Authority): string {
  return `${act} ${permission} ${object} ${needsFreshSignIn}`;
}

function ruleNumbers(operations: readonly ListedOperation[]): ReadonlyMap<string, number> {
  return new Map([...new Set(operations.map(ruleKey))].sort().map((key, index) => [key, index + 1]));
}

function ruleTable(operations: readonly ListedOperation[]): string {
  const titles = ['Rule', 'Act', 'Permission', 'Objects', ...columns.map(({ title }) => title)];
  const rows = [...ruleNumbers(operations)].map(([key, number]) => {
    const rule = operations.find((one) => ruleKey(one) === key) as ListedOperation;
    const answers = columns.map(({ actor, standing, isStale }) => signs[expectedAnswer(rule, actor, standing, isStale)]);
    return [String(number), rule.act, `\`${rule.permission}\``, rule.object, ...answers];
  });
  return renderTable(titles, rows);
}

/** Returns in words who may: those with a role or a part of their own, or everybody. */
function whoMay(operation: ListedOperation): string {
  const may = columns.filter(({ actor, standing }) => expectedAnswer(operation, actor, standing) === 'yes');
  const isForAll = may.some(({ title }) => title === 'Basic User');
  const people = may.filter(({ title }) => Object.hasOwn(plurals, title)).map(({ title }) => plurals[title as keyof typeof plurals]);
  const also = [...(operation.act === 'ANSWER' ? ['no programs'] : []), ...(operation.needsFreshSignIn ? ['fresh sign-in'] : [])];
  const whom = isForAll ? 'everybody signed in' : people.join(', ');
  return [whom, ...also].join('; ');
}

const plurals = {
  'Super Administrator': 'Super Administrators',
  'Campaign Administrator': 'Campaign Administrators',
  'Read-Only Administrator': 'Read-Only Administrators',
  Owner: 'owners of the review',
  Reviewer: 'its reviewers',
  Subject: 'the person',
  'App owner': 'owners of the app',
  'Source owner': 'owners of the source',
  'Log credential': 'credentials narrowed to the system log',
} as const;

/** Questions that people ask first, and the operations that answer them. */
const questions: readonly (readonly [question: string, ...names: string[]])[] = [
  ['make a review', 'AccessReviewService.create'],
  ['change a review', 'AccessReviewService.update'],
  ['start a review', 'ReviewActionsService.start'],
  ['end a review', 'ReviewActionsService.close'],
  ['delete a review', 'AccessReviewService.delete'],
  ['certify or deny access', 'TaskActionsService.approve', 'TaskActionsService.deny'],
  ['pass a task on', 'TaskActionsService.reassign'],
  ['download reports and evidence', 'AccessReviewReportService.list', 'EvidenceService.list'],
  ['see a removal', 'RevocationService.get', 'RevocationService.list'],
  ['say that access was removed, or confirm it', 'RevocationService.claim', 'RevocationService.confirm'],
  ['give roles', 'UserRoleService.setRoles'],
  ['see who has which role', 'UserRoleService.getRoles'],
  ['give others credentials or sign-in links', 'IssuedCredentialService.issue', 'SignInLinkService.print'],
  ['read about other people', 'UserService.search', 'UserService.get'],
  ['import files', 'ImportService.importPeople', 'ImportService.importGrants'],
  ['let a source fetch', 'ConnectorService.forceSync'],
  ['change policies', 'PolicyService.update'],
  ['change settings', 'TenantSettingsService.update'],
  ['read the system log', 'SystemLogService.listEvents'],
];

function questionTable(operations: readonly ListedOperation[]): string {
  const rows = questions.flatMap(([question, ...names]) =>
    names.map((name, index) => {
      const operation = operations.find((one) => one.name === name);
      if (operation === undefined) {
        throw new TypeError(`docs/authority.md asks about ${name}, which the contract does not have`);
      }
      return [index === 0 ? question : '', whoMay(operation), `${operation.title}<br>\`${operation.request}\``];
    }),
  );
  return renderTable(['Who may', 'Who', 'Operation'], rows);
}

/** Subjects of operations, by the beginning of their permission. */
const subjects: Readonly<Record<string, string>> = {
  reviews: 'Reviews and templates',
  tasks: 'Tasks, decisions and removals',
  inventory: 'Apps, entitlements, accounts and who owns them',
  sources: 'Sources that fetch',
  imports: 'Imported files',
  policies: 'Policies and conflicts',
  users: 'People',
  roles: 'Roles',
  self: 'What is one\u2019s own',
  credentials: 'Credentials, sessions and sign-in links',
  principals: 'Service principals',
  settings: 'Settings',
  deliveries: 'Deliveries',
  coverage: 'Coverage',
  log: 'Proofs of the event log',
  systemlog: 'The system log',
};

function subjectSections(operations: readonly ListedOperation[]): string[] {
  const numbers = ruleNumbers(operations);
  const subjectOf = ({ permission }: ListedOperation): string => permission.split('.', 1).join('');
  const unnamed = operations.find((one) => !Object.hasOwn(subjects, subjectOf(one)));
  if (unnamed !== undefined) {
    throw new TypeError(`src/domains/authority/matrix.ts has no title for operations with ${unnamed.permission}`);
  }
  const pathOf = ({ request }: ListedOperation): string => request.split(' ').toReversed().join(' ');
  return Object.entries(subjects).map(([subject, title]) => {
    const some = operations.filter((one) => subjectOf(one) === subject).sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
    const rows = some.map((one) => [one.title, `\`${one.request}\`<br>${one.name}`, whoMay(one), String(numbers.get(ruleKey(one)))]);
    return `## ${title}\n\n${renderTable(['What', 'Request and operation', 'Who may', 'Rule'], rows)}\n`;
  });
}

/** Finds what is seen of a thing of this kind: of the person whom the review asks about, of their account, and of the app that it is in. */
export function expectedSight(kind: SightKind, actor: Actor, standing: Standing): 'whole' | 'card' | '-' {
  if (actor.kind === 'anonymous' || actor.kind === 'source' || !holds(actor, 'inventory.concern')) {
    return '-';
  }
  const person = standing === 'SUBJECT' ? actor.userId : 'subject';
  const sight = { actor, ownedAppIds: new Set(standing === 'APP_OWNER' ? ['app'] : []) };
  const isWhole = {
    person: () => seesPersonWhole(actor, person),
    app: () => seesAppWhole(sight, 'app'),
    resource: () => seesAppWhole(sight, 'app'),
    entitlement: () => seesAppWhole(sight, 'app'),
    account: () => seesAccountWhole(sight, { appId: 'app', userId: person }),
    policy: () => seesPoliciesWhole(actor),
  };
  return isWhole[kind]() ? 'whole' : 'card';
}

const sightKinds: readonly SightKind[] = ['person', 'app', 'resource', 'entitlement', 'account', 'policy'];

function sightTable(): string {
  const titles = ['Kind', ...columns.map(({ title }) => title)];
  const rows = sightKinds.map((kind) => [kind, ...columns.map(({ actor, standing }) => expectedSight(kind, actor, standing))]);
  return renderTable(titles, rows);
}

const sightSection = `## What they see

Whoever may know of an object sees it whole or as a card, in every reply: lists, searches, expansions, audits. *Administrators* are those who read the
inventory: Super Administrators, Campaign Administrators and Read-Only Administrators. A grant is shown by its entitlement, its account and its owner,
and a task by the steps that ask about it, whoever sees its policy whole.

${describeSights()}

The same for everybody above, of a person, an account of theirs, and an app that a review asks about: *whole*, *card*, or *-* for nothing at all.

${sightTable()}
`;

const doorSection = `## Other doors

Routes beside the contract, and what opens them. The server starts with no other route, and a test asks each of these with every key there is, and
with none. Everywhere the host of the request says whose tenant it is, except at \`/healthz\`, \`/readyz\` and \`/metrics\`. Connectors also speak
gRPC (\`c1.connectorapi.baton.v1.BatonService\`): a connector's token opens it for the source of that connector, and opens no operation above.

${describeDoors()}
`;

/** The text of the page. */
export function renderAuthority(operations: readonly ListedOperation[]): string {
  const sorted = [...operations].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rules = `## Rules\n\n${ruleIntroduction}\n\n${ruleTable(sorted)}\n`;
  return [introduction.trimEnd(), '', questionTable(sorted), '', ...subjectSections(sorted), rules, sightSection, doorSection].join('\n');
}
