/** Reports as PDF files of reviews that ran: what stands in them, that they stay short, and that they say which characters they lack. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeReport } from '../../../test/support/make-report.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { approve, useReviewRun } from '../../../test/support/review-run.ts';
import { acknowledgeReview, setAcknowledgement } from '../../governance/reviews/evidence/acknowledge.ts';
import { closeReview } from '../../governance/reviews/life/close.ts';
import { decideTask } from '../../governance/tasks/decisions/decide.ts';

const run = useReviewRun();

/** The words of a file, a blank between them. */
const textOf = (file: Buffer): string => readPdf(file).flat().join(' ');

describe('a report as a PDF file', () => {
  it('tells of counts, sources, exclusions, exceptions, revocations and the acknowledgement', async () => {
    const context = run.test.admin();
    const review = await run.opened({ displayName: 'Quarter 王伟' });
    const first = await run.someTask(review.id);
    await decideTask(context, approve(first.id));
    const second = await run.someTask(review.id);
    await decideTask(context, { ...approve(second.id), decision: 'DENY', comment: 'left' });
    await closeReview(context, review.id, 'CLOSE_DECISION_SKIP');
    await run.test.until(review.id, 'CLOSED');

    const { file } = await makeReport(context, review.id, 'PDF');
    if (process.env['KEEP_PDF']) {
      writeFileSync(process.env['KEEP_PDF'], file);
    }
    const text = textOf(file);
    expect(text).toContain('Access review: Quarter [U+738B U+4F1F]');
    for (const heading of [
      'Scope',
      'Counts',
      'Log',
      'Signatures',
      'Sources',
      'Exclusions',
      'Exceptions',
      'Revocations',
      'Acknowledgement',
      'This file',
    ]) {
      expect(text).toContain(heading);
    }
    expect(text).toContain('Certified 1');
    expect(readPdf(file).length).toBeLessThanOrEqual(20);
  });

  it('says that people decided all where they did', async () => {
    const context = run.test.admin();
    const review = await run.opened();
    for (let open = (await run.outcomes(review.id)).reduce((sum, { count }) => sum + Number(count), 0); open > 0; open--) {
      await decideTask(context, approve((await run.someTask(review.id)).id));
    }
    const { file } = await makeReport(context, review.id, 'PDF');
    expect(textOf(file)).toContain('Share decided by people 100.0 %');
  });

  it('names who acknowledged the decisions, and whether that holds', async () => {
    const context = run.test.admin();
    const review = await run.opened({});
    const { basicId } = run.test.ours;
    await setAcknowledgement(context, review.id, { required: true, userIds: [basicId] });
    expect(textOf((await makeReport(context, review.id, 'PDF')).file)).toContain('nobody has done so yet');
    await acknowledgeReview(run.as(basicId), review.id, 'As agreed.');
    const held = textOf((await makeReport(context, review.id, 'PDF')).file);
    expect(held).toMatch(
      /Acknowledged by Ben Basic <basic@ours\.example> \(id \w{27}\) .* Comment As agreed\. .* Holds yes: no decision changed since/,
    );
    const { id } = await run.someTask(review.id);
    await decideTask(context, approve(id));
    expect(textOf((await makeReport(context, review.id, 'PDF')).file)).toContain('Holds no: decisions changed since');
  });

  it('has the same bytes wherever its job was killed', async () => {
    const review = await run.opened({});
    const context = run.test.admin();
    const whole = await makeReport(context, review.id, 'PDF');
    const killed = await makeReport(context, review.id, 'PDF', true);
    const without = ({ file, id }: typeof whole): string => textOf(file).replaceAll(id, 'ID');
    expect(without(killed)).toBe(without(whole));
  });
});
