/** Result of a test: the sign-in at a provider that an administrator came back from, with what the provider said of it. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { Fault } from '~/screens/settings/tenant/fault.tsx';

export function TestResult({ id }: { id: string }) {
  const query = useQuery(read('StepUpTransactionService.Get', { id }));
  const { state, errorMessage = '', claims = {} } = query.data?.transaction ?? {};
  if (query.isError) {
    return <Fault of={query.error} />;
  }
  if (state === 'STEP_UP_TRANSACTION_STATE_VERIFIED') {
    const { acr } = claims as { readonly acr?: unknown };
    return (
      <Note kind="ok">
        {text('stepUp.testGood')} {typeof acr === 'string' ? text('stepUp.testAcr', { acr }) : ''}
      </Note>
    );
  }
  if (state === 'STEP_UP_TRANSACTION_STATE_ERROR') {
    return <Note kind="fault">{text('stepUp.testBad', { message: errorMessage })}</Note>;
  }
  return query.isPending ? null : <Note>{text('stepUp.testPending')}</Note>;
}
