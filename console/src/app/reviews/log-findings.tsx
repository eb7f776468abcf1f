/** Findings of a check of the log, each sentence with a link to the item it is about. */
import { Link } from '@tanstack/react-router';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';

/** The id of the task that a sentence names. */
const named = /\b[Tt]asks? (\w{27})\b/;

export function LogFindings({ reviewId, sentences }: { reviewId: string; sentences: readonly string[] }) {
  return sentences.map((sentence) => {
    const taskId = named.exec(sentence)?.[1];
    return (
      <Note
        key={sentence}
        kind="fault"
        action={
          taskId === undefined ? undefined : (
            <Link to="/evidence/$reviewId/items/$taskId" params={{ reviewId, taskId }}>
              {text('evidence.toItem')}
            </Link>
          )
        }
      >
        {sentence}
      </Note>
    );
  });
}
