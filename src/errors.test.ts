/** The most that errors list. */
import { expect, it } from 'vitest';
import { AppError } from './errors.ts';

it('a hundred of what is wrong, and the beginning of a message', () => {
  const violations = Array.from({ length: 45_000 }, (_, index) => ({ field: `ids[${index}]`, description: 'is not there' }));
  const error = new AppError('INVALID_ARGUMENT', 'x'.repeat(1_000_000), { violations });
  expect(error.violations).toEqual(violations.slice(0, 100));
  expect(error.message).toBe(`${'x'.repeat(4000)}...`);
  const quoted = new AppError('INVALID_ARGUMENT', 'Wrong.', { violations: [{ field: 'name', description: 'y'.repeat(65_000) }] });
  expect(quoted.violations).toEqual([{ field: 'name', description: `${'y'.repeat(1000)}...` }]);
  expect(new AppError('NOT_FOUND', 'Not here.')).toMatchObject({ message: 'Not here.', violations: undefined, status: 404 });
});
