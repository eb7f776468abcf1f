/** Asks a provider what it says of itself before anybody has to sign in by it, and says in words what is wrong. */
import { useSend } from '~/data/act.ts';
import { call, type ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { Fault } from '~/screens/settings/tenant/fault.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';

type Result = ReplyOf<'ProviderTestService.Test'>;

const plain: Readonly<Record<string, PlainTextKey>> = {
  PROVIDER_PROBLEM_ADDRESS: 'providers.problemAddress',
  PROVIDER_PROBLEM_UNREACHABLE: 'providers.problemUnreachable',
  PROVIDER_PROBLEM_DOCUMENT: 'providers.problemDocument',
  PROVIDER_PROBLEM_KEYS: 'providers.problemKeys',
};

function wordsOf({ problem, detail = '' }: Result): string {
  const key = plain[problem ?? ''];
  if (key !== undefined) {
    return text(key);
  }
  return problem === 'PROVIDER_PROBLEM_ISSUER'
    ? text('providers.problemIssuer', { issuer: detail })
    : text(problem === 'PROVIDER_PROBLEM_STATUS' ? 'providers.problemStatus' : 'providers.problemFlow', { detail });
}

export function TestProvider({ issuer }: { issuer: string }) {
  const test = useSend({ mutationFn: (issuerId: string) => call('ProviderTestService.Test', { issuerId }) });
  // What was found out holds for the issuer that was asked.
  const result = test.variables === issuer ? test.data : undefined;
  const isGood = result !== undefined && result.authorizationEndpoint !== undefined && result.authorizationEndpoint !== '';
  return (
    <div className={styles.form}>
      <div>
        <Button busy={test.isPending} onClick={() => test.mutate(issuer)}>
          {text('providers.test')}
        </Button>
      </div>
      <div role="status">
        {result === undefined ? null : <Note kind={isGood ? 'ok' : 'fault'}>{isGood ? text('providers.testGood') : wordsOf(result)}</Note>}
      </div>
      <Fault of={test.error} />
    </div>
  );
}
