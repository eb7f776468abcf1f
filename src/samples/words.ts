/** Meaning of the sample company's entitlements, in words that a reviewer understands, and how much harm they can do. */
import { listAll, listAppIds, listEntitlementIds, type SampleServer } from './server.ts';

type Risk = 'Low' | 'Medium' | 'High';

/** By app: the name of the entitlement, what it allows, its risk. */
const words: Readonly<Record<string, readonly (readonly [name: string, description: string, risk: Risk])[]>> = {
  'Sample Mail': [
    ['Personal mailbox Use', 'Send and receive mail', 'Low'],
    ['Company news Read', 'Read the news of the company', 'Low'],
    ['Company news Write', 'Publish news to everybody', 'Medium'],
    ['Customer questions Answer', 'Answer customers in the name of the company', 'Medium'],
    ['Company calendar Read', 'See the company calendar', 'Low'],
    ['Meeting rooms Book', 'Book meeting rooms', 'Low'],
    ['All mailboxes Administer', 'Open everybody’s mailbox', 'High'],
  ],
  'Sample Ledger': [
    ['Invoices Read', 'See supplier invoices', 'Low'],
    ['Invoices Approve', 'Approve invoices for payment', 'Medium'],
    ['Payments Prepare', 'Prepare payments for release', 'Medium'],
    ['Payments Release', 'Release payments to the bank', 'High'],
    ['Payroll Read', 'See everybody’s salaries', 'Medium'],
    ['Payroll Change', 'Change salaries and bank details', 'High'],
  ],
  'Sample Orders': [
    ['Orders Read', 'See orders', 'Low'],
    ['Orders Change', 'Change orders of customers', 'Low'],
    ['Prices Read', 'See purchase prices', 'Low'],
    ['Prices Change', 'Change prices in all shops', 'Medium'],
    ['Refunds Grant', 'Give customers their money back', 'Medium'],
    ['Routes Plan', 'Plan the routes of deliveries', 'Low'],
    ['Stock Read', 'See the stock', 'Low'],
    ['Stock Correct', 'Correct the stock that was counted', 'Medium'],
  ],
  'Sample Code': [
    ['Website Read', 'Read the code of the website', 'Low'],
    ['Website Write', 'Change the code of the website', 'Medium'],
    ['Oven control Read', 'Read the code that controls the ovens', 'Low'],
    ['Oven control Write', 'Change the code that controls the ovens', 'High'],
    ['Secrets Read', 'Read the passwords of the servers', 'High'],
    ['Production Deploy', 'Put new versions into production', 'High'],
  ],
};

/** Describes and classifies every entitlement that a source reports. Doing it again changes nothing. */
export async function describeEntitlements(server: SampleServer): Promise<void> {
  const risks = await makeRisks(server);
  const apps = await listAppIds(server);
  for (const [appName, rows] of Object.entries(words)) {
    const appId = apps.get(appName) ?? '';
    const ids = await listEntitlementIds(server, appId);
    for (const [name, description, risk] of rows) {
      const id = ids.get(name);
      if (id !== undefined) {
        const entitlement = { description, riskLevelValueId: risks.get(risk) ?? '' };
        await server.call('AppEntitlementService.Update', { appId, id, entitlement, updateMask: 'description,riskLevelValueId' });
      }
    }
  }
}

/** The ids of the risks; those that are missing are made. */
async function makeRisks(server: SampleServer): Promise<ReadonlyMap<string, string>> {
  const risks = new Map<string, string>();
  for (const { value = '', id = '' } of await listAll(server, 'RiskLevelService.ListRiskLevels', {})) {
    risks.set(value, id);
  }
  for (const value of ['Low', 'Medium', 'High']) {
    if (!risks.has(value)) {
      risks.set(value, (await server.call('RiskLevelService.CreateRiskLevelAttributeValue', { value })).value?.id ?? '');
    }
  }
  return risks;
}
