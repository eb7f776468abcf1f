/** Tries a time stamp server out, and says whether signatures could have its time stamps. */
import { call } from '~/data/query.ts';
import { errorMessage, useSend } from '~/data/act.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';

export function StampTest({ url }: { readonly url: string }) {
  const test = useSend({ mutationFn: (asked: string) => call('SignatureService.TestTimeStampServer', { url: asked }) });
  const isOfThis = test.variables === url;
  const { problem = '', server = '', policy = '' } = test.data ?? {};
  return (
    <>
      <div>
        <Button variant="quiet" busy={test.isPending} onClick={() => test.mutate(url)}>
          {text('signature.tryServer')}
        </Button>
      </div>
      <div role="status">
        {!isOfThis || test.isPending ? null : test.error !== null ? (
          <Note kind="fault">{errorMessage(test.error)}</Note>
        ) : problem === '' ? (
          <Note kind="ok">{text('signature.serverStamps', { server, policy })}</Note>
        ) : (
          <Note kind="fault">{problem}</Note>
        )}
      </div>
    </>
  );
}
