/**
 * The page docs/authority.md: every operation of the contract by everybody there is. `npm run generate` writes it, and a test says when it is
 * stale. What is written is what `expectedAnswer` says.
 */
import type { Actor, ActorKind, RoleName } from '../../context.ts';
import { describeDoors } from './doors.ts';
import { type Authority, type Expected, expectedAnswer, type ObjectRule, type Standing } from './objects.ts';
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
  /** What they are, where their role does not say it. */
  readonly is?: string;
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

/** Somebody who is more than their role to the thing that is asked about. */
const part = (title: string, is: string, standing: Standing, ...roles: RoleName[]): Column => ({
  ...person(title, standing, ...roles),
  is,
});

const columns: readonly Column[] = [
  person('Super Administrator', 'SUPER', 'SUPER_ADMINISTRATOR'),
  person('Campaign Administrator', 'CAMPAIGN', 'CAMPAIGN_ADMINISTRATOR'),
  part('Creator', 'a Campaign Administrator who made the review, and does not own it', 'CREATOR', 'CAMPAIGN_ADMINISTRATOR'),
  person('Read-Only Administrator', 'READER', 'READ_ONLY_ADMINISTRATOR'),
  part('Owner', 'owns the review', 'OWNER'),
  part('Reviewer', 'has tasks in the review, or is asked in its second review', 'REVIEWER'),
  part('Delegate', 'decides in the place of a reviewer, who named them or for whom an administrator did', 'DELEGATE'),
  part('Acknowledger', 'is named to acknowledge the decisions of the review', 'ACKNOWLEDGER'),
  part('Subject', 'is the person concerned: whose access, accounts or credentials they are', 'SUBJECT'),
  part('App owner', 'owns the app', 'APP_OWNER'),
  part('Entitlement owner', 'owns the entitlement or its resource, and not the app', 'ENTITLEMENT_OWNER'),
  part('Source owner', 'owns the source', 'SOURCE_OWNER'),
  person('Basic User', 'OTHER'),
  { ...person('Older session', 'SUPER', 'SUPER_ADMINISTRATOR'), isStale: true },
  { title: 'Reading credential', actor: actorOfKind('credential', ['READ_ONLY_ADMINISTRATOR']), standing: 'READER' },
  { title: 'Log credential', actor: actorOfKind('credential', ['READ_ONLY_SYSTEM_LOGS']), standing: 'OTHER' },
  { title: 'Issued, reviewer', actor: actorOfKind('issued_session', ['BASIC_USER'], false), standing: 'REVIEWER' },
  { title: 'Service principal', actor: actorOfKind('service_principal', ['BASIC_USER', 'SUPER_ADMINISTRATOR']), standing: 'SUPER' },
  { title: 'SCIM token', actor: actorOfKind('source', []), standing: 'OTHER' },
  { title: 'Nobody', actor: actorOfKind('anonymous', []), standing: 'OTHER' },
];

const columnOf = (title: string): Column => columns.find((one) => one.title === title) as Column;

const answerTo = (operation: Authority, { actor, standing, isStale }: Column): Expected =>
  expectedAnswer(operation, actor, standing, isStale);

const signs: Readonly<Record<Expected, string>> = { yes: 'yes', no: '403', hidden: '404', unknown: '401' };

const ruleIntroduction = `Each operation names three things in \`proto/\`: its permission, what kind of act it is, and whose objects it reaches.

- **Permission**: one of the caller's roles must hold it (\`src/foundation/authority/permissions.ts\`). A credential that is narrowed to some roles holds
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

Owners, reviewers and all others of [Parts](#parts) are Basic Users here but for the creator; the Campaign Administrator made other reviews. *Older
session* is a Super Administrator who signed in more than ten minutes ago, in a tenant with a way to sign in again: what changes what signs in answers
403 with \`SIGN_IN_AGAIN\`. *Reading credential* and *Log credential* are narrowed to Read-Only Administrator and to the system log. *Issued, reviewer*
is a reviewer through what an administrator issued, whom the setting \`issuedAnswers\` refuses. The service principal holds every role. Otherwise, a
fresh session and a credential of one's own are the same here.`;

const introduction = `# Who may do what

This page is made from the contract by \`npm run generate\`. A test asks every operation as everybody in the rules, over HTTP, and compares.

*Who may* names people by role, or by what they are to the thing that is asked about. Whoever is not named hears 403, or 404 where they do not learn that
it is there; [the rules](#rules) say which, and [Parts](#parts) what each of these people is. *No programs*: neither a service principal does it, nor
what one issued. *Nothing issued*: nor does a person through what somebody else issued to them. *In a session*: with a browser, and no credential.
*Fresh sign-in*: a session has to be younger than ten minutes and one's own. *Everybody signed in* reaches what concerns themselves.

A service principal may do what its roles hold, as a person with these roles does, but for what is said to be for no programs: it decides, attests,
confirms and acknowledges nothing, whatever its roles. [Parts](#parts) lists all of it.

A closed review stays closed: nobody reopens it, and a decision in it stands. While a review is open, a task is taken back by starting it over.

Whoever acts through something they made or issued is compared as themselves, too. An administrator decides nothing about their own access through a
link that they printed for somebody else, confirms no removal that they claimed, answers no blind second review whose first decisions they read, and
acknowledges no review in which they decided. Events, histories and reports name the issuer beside the person.

What an administrator issues (a sign-in link, a credential) answers as the setting \`issuedAnswers\` of the tenant says: \`ALWAYS\`, \`NEVER\`, or
\`WITHOUT_OTHER_SIGN_IN\`, which is the default: only while the tenant has no identity provider and the installation sends no mail. It answers nothing
once whoever issued it is no Super Administrator any more.

What is issued gives at most the roles Basic User, Read-Only Administrator and the system log: a link that is printed for an administrator administers
nothing.

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
    const answers = columns.map((column) => signs[answerTo(rule, column)]);
    return [String(number), rule.act, `\`${rule.permission}\``, rule.object, ...answers];
  });
  return renderTable(titles, rows);
}

/** Returns in words who may: those with a role or a part of their own, or everybody. */
function whoMay(operation: ListedOperation): string {
  const { act, object, needsFreshSignIn } = operation;
  const may = columns.filter(({ actor, standing }) => expectedAnswer(operation, actor, standing) === 'yes').map(({ title }) => title);
  const people = Object.entries(plurals)
    // Whoever made a review is a Campaign Administrator, too.
    .filter(([title]) => may.includes(title) && !(title === 'Creator' && may.includes('Campaign Administrator')))
    .map(([title, words]) => (title === 'Reviewer' ? (reviewersOf[object] ?? words) : words))
    .map((words) => (/access_review_template\b/.test(operation.request) ? words.replace('review', 'template') : words));
  const also = [
    ...(act === 'ANSWER' || object === 'OWN' ? ['no programs'] : []),
    ...(object === 'OWN' ? ['nothing issued'] : []),
    ...(object === 'SESSION_ALONE' ? ['in a session'] : []),
    ...(needsFreshSignIn ? ['fresh sign-in'] : []),
  ];
  return [may.includes('Basic User') ? 'everybody signed in' : people.join(', '), ...also].join('; ');
}

const plurals: Readonly<Record<string, string>> = {
  'Super Administrator': 'Super Administrators',
  'Campaign Administrator': 'Campaign Administrators',
  'Read-Only Administrator': 'Read-Only Administrators',
  Owner: 'owners of the review',
  Creator: 'whoever made the review',
  Reviewer: 'its reviewers',
  Delegate: 'their delegates',
  Acknowledger: 'those named to acknowledge it',
  Subject: 'the person concerned',
  'App owner': 'owners of the app',
  'Entitlement owner': 'owners of the entitlement',
  'Source owner': 'owners of the source',
  'Log credential': 'credentials narrowed to the system log',
};

/** Reviewers in words, where not each of them may. */
const reviewersOf: Readonly<Partial<Record<ObjectRule, string>>> = {
  SECOND_REVIEWER: 'those whom its second review asks',
  SIGNER: 'whoever has to sign',
  SIGNATURE_READ: 'whoever signs',
  OWN_STEP_UP: 'whoever signs',
};

/** Operations in few words: each service once, with its methods. */
function listByService(operations: readonly ListedOperation[]): string {
  const methods = new Map<string, string[]>();
  for (const { name } of operations) {
    const [service = '', method = ''] = name.split('.');
    methods.set(service, [...(methods.get(service) ?? []), method]);
  }
  return [...methods].map(([service, names]) => `\`${service}\` ${names.join(', ')}`).join('; ');
}

/** What each part adds to its role, and what a service principal lacks of its roles. */
function partSection(operations: readonly ListedOperation[]): string {
  const rows = columns.flatMap((column) => {
    const { title, is, actor } = column;
    const plain = columnOf(actor.roles.has('CAMPAIGN_ADMINISTRATOR') ? 'Campaign Administrator' : 'Basic User');
    const more = operations.filter((one) => answerTo(one, column) === 'yes' && answerTo(one, plain) !== 'yes');
    return is === undefined ? [] : [[title, is, listByService(more)]];
  });
  const [program, administrator] = [columnOf('Service principal'), columnOf('Super Administrator')];
  const less = operations.filter(
    (one) => answerTo(one, program) !== 'yes' && (one.act === 'ANSWER' || answerTo(one, administrator) === 'yes'),
  );
  return `## Parts

People who are more than their role to a review, an app or whatever else is asked about, and what they may beside all who have the same role. One person
may have several parts.

${renderTable(['Part', 'Who it is', 'May, beside everybody with that role'], rows)}

A service principal with every role may not: ${listByService(less)}.
`;
}

/** Questions that people ask first, and the operations that answer them. */
const questions: readonly (readonly [question: string, ...names: string[]])[] = [
  ['make a review', 'AccessReviewService.create'],
  ['change a review', 'AccessReviewService.update'],
  ['start a review', 'ReviewActionsService.start'],
  ['end a review', 'ReviewActionsService.close'],
  ['make a prepared review a draft again', 'ReviewActionsService.reset'],
  ['delete a review', 'AccessReviewService.delete'],
  ['read a review', 'AccessReviewService.get', 'ReviewActionsService.getCounts'],
  ['certify or deny access', 'TaskActionsService.approve', 'TaskActionsService.deny'],
  ['take a decision back, so that it is asked again', 'TaskActionsService.restart', 'TaskActionsService.hardReset'],
  ['cancel a task', 'TaskActionsService.close'],
  ['acknowledge the decisions of a review', 'ReviewActionsService.acknowledge'],
  ['pass a task on', 'TaskActionsService.reassign'],
  ['download reports and evidence', 'AccessReviewReportService.list', 'EvidenceService.list'],
  ['ask for a removal', 'TaskService.createRevokeTask'],
  ['see a removal', 'RevocationService.get', 'RevocationService.list'],
  ['say that access was removed, or confirm it', 'RevocationService.claim', 'RevocationService.confirm'],
  ['give roles, and restore what somebody had who left', 'UserRoleService.setRoles', 'SuspensionService.restore'],
  ['see who has which role, and who left with what', 'UserRoleService.getRoles', 'SuspensionService.list'],
  ['give others credentials or sign-in links', 'IssuedCredentialService.issue', 'SignInLinkService.print'],
  ['name who decides in their place', 'MyDelegationService.set', 'UserService.setExpiringUserDelegationBindingByAdmin'],
  ['see who holds an entitlement', 'AppEntitlementService.listUsers', 'GrantService.list'],
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
    throw new TypeError(`src/foundation/authority/matrix.ts has no title for operations with ${unnamed.permission}`);
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
  const parts = partSection(sorted);
  return [introduction.trimEnd(), '', questionTable(sorted), '', parts, ...subjectSections(sorted), rules, sightSection, doorSection].join(
    '\n',
  );
}
